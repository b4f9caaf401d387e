/** Lines of what is expected, and of the texts that lead to it, which " | " separates. */
export const rowsOf = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line): [expected: string, texts: string] => line.trim().split(/: (.*)/) as [string, string]);
