/** JSON for programs, text for people. What each command prints as JSON stands in docs/commands.md. */
export function print(json: boolean | undefined, value: unknown, text: () => string): void {
  console.log(json ? JSON.stringify(value) : text());
}

/** UTC epoch seconds, for people. */
export function isoTime(seconds: number): string {
  return new Date(seconds * 1_000).toISOString();
}

export function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function table(head: string[], rows: string[][]): string {
  if (rows.length === 0) return 'none';
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
