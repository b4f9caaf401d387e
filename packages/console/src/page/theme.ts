import { palettes, type Theme } from "@fleetwire/map";
import { signal } from "@preact/signals";

const dark = matchMedia("(prefers-color-scheme: dark)");
const themeNow = (): Theme => (dark.matches ? "dark" : "light");

/** Follows the system's colour scheme. */
export const theme = signal<Theme>(themeNow());
dark.addEventListener("change", () => {
  theme.value = themeNow();
});

export const paletteNow = () => palettes[theme.value];
