// A page with only the map, for benchmarks.
import { createFleetMap } from "@fleetwire/map";

const STATES = ["driving", "idling", "stopped", "charging", "other"];

/** Shows a map with this many vehicles, spread over Europe, most of them near towns. */
window.showFleet = (count) => {
  let seed = 1;
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const vehicles = Array.from({ length: count }, (_, at) => {
    const [town, spread] = [at % 97, random() < 0.7 ? 0.3 : 4];
    return {
      id: String(at),
      name: `Truck ${at}`,
      latitude: 42 + ((town * 7) % 14) + (random() - 0.5) * spread,
      longitude: -4 + ((town * 11) % 26) + (random() - 0.5) * spread,
      heading: random() * 360,
      state: STATES[at % STATES.length],
    };
  });
  const map = createFleetMap(document.getElementById("map"));
  const startedAt = performance.now();
  map.show(vehicles);
  return new Promise((resolve) => {
    // The map is drawn in the next frame; the frame after it begins when that is done.
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - startedAt)));
  });
};

/** Records the time of each frame until the returned function is called. */
window.recordFrames = () => {
  const frames = [];
  let last = performance.now();
  let handle = requestAnimationFrame(function next(now) {
    frames.push(now - last);
    last = now;
    handle = requestAnimationFrame(next);
  });
  window.endRecording = () => {
    cancelAnimationFrame(handle);
    return frames.slice(1);
  };
};
