/** The state colours are based on the palette of Okabe and Ito, which colour-blind people can distinguish, adjusted for contrast on each background. */
export const palettes = {
  light: {
    water: "#bcd9ea",
    land: "#f6f3ec",
    town: "#e4ddd0",
    coast: "#8fb4c9",
    river: "#a3cbe2",
    border: "#a796b5",
    countryLabel: "#7d6f8c",
    townLabel: "#4b4a48",
    /** Behind labels and around markers. */
    halo: "#ffffff",
    vehicleLabel: "#10202c",
    selection: "#d6006c",
    states: { driving: "#00805f", idling: "#e08a00", stopped: "#56606b", charging: "#0a6ebd", other: "#a4508b" },
  },
  dark: {
    water: "#101a24",
    land: "#222d38",
    town: "#31404e",
    coast: "#3b5468",
    river: "#2a4a61",
    border: "#6d6680",
    countryLabel: "#9a91ad",
    townLabel: "#b4bcc4",
    halo: "#0c141c",
    vehicleLabel: "#f4f7fa",
    selection: "#ff5fae",
    states: { driving: "#1fcf9d", idling: "#ffb432", stopped: "#9aa7b4", charging: "#5ab8f7", other: "#d98cc2" },
  },
};

export type Theme = keyof typeof palettes;
export type Palette = (typeof palettes)[Theme];
