// Draws plots as SVG, with logarithmic axes, readable on light and dark pages.

const WIDTH = 640;
const HEIGHT = 400;
const LEFT = 70;
const RIGHT = 190;
const TOP = 36;
const BOTTOM = 50;
const COLOURS = ["#2f81f7", "#d9730d", "#2da44e", "#a855f7"];

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** The exponent of y = a * x^b that fits best. */
export function exponent(points) {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)]);
  const mean = (at) => logs.reduce((sum, pair) => sum + pair[at], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const product = logs.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0);
  return product / logs.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
}

function decades(values) {
  const [low, high] = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))];
  return Array.from({ length: Math.max(high, low + 1) - low + 1 }, (_, at) => 10 ** (low + at));
}

/** Maps a value to a position between two ends. */
const scale = (ticks, from, to) => (value) => {
  const [low, high] = [Math.log10(ticks[0]), Math.log10(ticks.at(-1))];
  return from + ((Math.log10(value) - low) / (high - low)) * (to - from);
};

const tickText = (value) => (value < 1 ? String(Number(value.toPrecision(1))) : value.toLocaleString("en"));

/** `series` are lists of points by name. Points below the axis, such as no memory above the idle process, are left out. */
export function plot({ title, x, y, series }) {
  const lines = Object.entries(series).map(([name, points]) => [name, points.filter(([, value]) => value > 0)]);
  const all = lines.flatMap(([, points]) => points);
  const [xs, ys] = [decades(all.map(([value]) => value)), decades(all.map(([, value]) => value))];
  const [right, bottom] = [WIDTH - RIGHT, HEIGHT - BOTTOM];
  const [atX, atY] = [scale(xs, LEFT, right), scale(ys, bottom, TOP)];
  const text = (left, top, content, more = "") => `<text x="${left.toFixed(1)}" y="${top.toFixed(1)}" ${more}>${escaped(content)}</text>`;
  const line = (x1, y1, x2, y2) => `<line x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}"/>`;
  const drawn = lines.flatMap(([name, points], at) => {
    const colour = COLOURS[at % COLOURS.length];
    const path = points.map(([px, py]) => `${atX(px).toFixed(1)},${atY(py).toFixed(1)}`);
    const key = TOP + 12 + at * 20;
    return [
      `<polyline points="${path.join(" ")}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      ...path.map((point) => `<circle cx="${point.split(",")[0]}" cy="${point.split(",")[1]}" r="3.5" fill="${colour}"/>`),
      `<circle cx="${right + 18}" cy="${key - 4}" r="5" fill="${colour}"/>`,
      text(right + 30, key, name),
    ];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(title)}">
<style>text { font: 12px sans-serif; fill: #24292f } .grid line { stroke: #8c959f; stroke-opacity: .35 } @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } }</style>
${text(LEFT, 20, title, 'style="font-size: 14px; font-weight: bold"')}
<g class="grid">
${xs.map((value) => line(atX(value), TOP, atX(value), bottom)).join("\n")}
${ys.map((value) => line(LEFT, atY(value), right, atY(value))).join("\n")}
</g>
${xs.map((value) => text(atX(value), bottom + 18, tickText(value), 'text-anchor="middle"')).join("\n")}
${ys.map((value) => text(LEFT - 8, atY(value) + 4, tickText(value), 'text-anchor="end"')).join("\n")}
${text((LEFT + right) / 2, HEIGHT - 10, x, 'text-anchor="middle"')}
${text(0, 0, y, `text-anchor="middle" transform="translate(16 ${(TOP + bottom) / 2}) rotate(-90)"`)}
${drawn.join("\n")}
</svg>
`;
}
