import { createFleetMap, mapVehicle } from "@fleetwire/map";
import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { isFollowing, isLoaded, selectedId, serviceNow } from "./console-state.ts";
import { groupId, mapped, select, wholeFleetRequests } from "./fleet-filters.ts";
import { theme } from "./state-marker.tsx";

/** Runs in the frame after the next, when the map has been resized to make room for the vehicle's panel. */
const afterLayout = (run: () => void) => requestAnimationFrame(() => requestAnimationFrame(run));

/** The map of the fleet, live. */
export function MapView() {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!element.current) return undefined;
    let chosenHere: string | undefined;
    const map = createFleetMap(element.current, {
      theme: theme.peek(),
      tilesUrl: document.querySelector<HTMLMetaElement>('meta[name="tiles"]')?.content,
      onSelect: (id) => {
        chosenHere = id;
        select(id);
      },
      onFollowEnd: () => {
        isFollowing.value = false;
      },
    });
    let fitted: string | undefined;
    const ends = [
      effect(() => map.setTheme(theme.value)),
      effect(() => {
        const now = serviceNow();
        map.show(mapped.value.flatMap((position) => mapVehicle(position, now) ?? []));
        // Only the user's choices move the map.
        const choice = isLoaded.value ? `${wholeFleetRequests.value} ${groupId.value ?? ""}` : undefined;
        const isLinked = fitted === undefined && selectedId.peek() !== undefined;
        if (choice !== undefined && choice !== fitted && !isLinked) afterLayout(() => map.fit());
        fitted = choice;
      }),
      effect(() => {
        // A link may name a vehicle before the fleet has been read.
        const id = isLoaded.value ? selectedId.value : undefined;
        map.select(id);
        // A vehicle chosen on the map is already where the user is looking.
        if (id !== undefined && id !== chosenHere) afterLayout(() => map.moveTo(id));
        chosenHere = undefined;
      }),
      effect(() => map.follow(isFollowing.value ? selectedId.value : undefined)),
    ];
    return () => {
      for (const end of ends) end();
      map.destroy();
    };
  }, []);
  return <div class="map" ref={element} />;
}
