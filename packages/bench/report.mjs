// Writes docs/benchmarks.md and its plots.
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { machine } from "./measure.mjs";
import { exponent, plot } from "./plot.mjs";

const { dependencies } = JSON.parse(readFileSync(new URL("package.json", import.meta.url)));

/** The packages that are compared with, at their pinned versions. */
const compared = () =>
  Object.entries(dependencies)
    .filter(([name]) => !name.startsWith("@fleetwire/"))
    .map(([name, version]) => `${name} ${version.replace(/^npm:.*@/, "")}`);

function markdownTable({ title, rows }) {
  const head = ["", ...Object.keys(rows[0][1])];
  const lines = [head, head.map(() => "---"), ...rows.map(([name, cells]) => [name, ...head.slice(1).map((column) => cells[column])])];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const text = lines.map((line, at) => `| ${line.map((cell, column) => cell.padEnd(widths[column], at === 1 ? "-" : " ")).join(" | ")} |`);
  return `### ${title}\n\n${text.join("\n")}`;
}

const pointsOf = (view, field) => view.map((row) => [row.size, row[field]]);

function plotsOf(view) {
  const x = "vehicles";
  return {
    "time.svg": {
      title: "Time for a whole fleet",
      x,
      y: "processor time, ms",
      series: {
        "locate, first question": pointsOf(view, "first"),
        "streamed read": pointsOf(view, "streamed"),
        "bare fetch, JSON.parse": pointsOf(view, "bare"),
      },
    },
    "memory.svg": {
      title: "Memory for a whole fleet",
      x,
      y: "peak above idle, MB",
      series: { "view, with refreshes": pointsOf(view, "peak"), "bare fetch, JSON.parse": pointsOf(view, "barePeak") },
    },
  };
}

/** The smallest fleets measure the process rather than the fleet, so the fit begins at 1,000. */
function caption({ series }) {
  const fits = Object.entries(series).map(([name, points]) => {
    const fitted = points.filter(([size, value]) => size >= 1000 && value > 0);
    return fitted.length < 2 ? `${name}: too few sizes` : `${name}: ${exponent(fitted).toFixed(2)}`;
  });
  return `Fitted exponents from 1,000 vehicles up (1 is proportional): ${fits.join("; ")}.`;
}

export async function writeReport(folder, { tables, goals, view, command, loads, minutes }) {
  const plots = plotsOf(view);
  await mkdir(join(folder, "benchmarks"), { recursive: true });
  for (const [file, content] of Object.entries(plots)) await writeFile(join(folder, "benchmarks", file), plot(content));
  const figures = Object.entries(plots).map(([file, content]) => `![${content.title}](benchmarks/${file})\n\n${caption(content)}`);
  const load = (value) => value.toFixed(1);
  await writeFile(
    join(folder, "benchmarks.md"),
    `# Benchmarks

\`npm run bench\` writes this page. Figures depend on the machine and its load: compare ratios, and look at the controls, which measure the same program twice.
Rounds are interleaved; figures are medians, with the middle half of the ratios alongside. CPU is processor time, which other load affects least.

- ${new Date().toISOString().slice(0, 10)}, ${minutes.toFixed(0)} minutes, \`${command}\`
- ${machine()}
- load average ${load(loads[0])} before the run, ${load(Math.min(...loads))} to ${load(Math.max(...loads))} between its parts; the benchmarks alone cause 1 to 2
- ${compared().join(", ")}

${markdownTable(goals).replace("### ", "## ")}

## Fleet size

${figures.join("\n\n")}

## Tables

${tables.map(markdownTable).join("\n\n")}
`,
  );
}
