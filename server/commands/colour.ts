import { styleText } from 'node:util';
import { environmentVariable } from '../config.ts';

type Output = { isTTY?: boolean };

/** Colours a word on a terminal; elsewhere, and where NO_COLOR is set, it stays as it is. */
export function coloured(
  colour: Parameters<typeof styleText>[0],
  text: string,
  output: Output = process.stdout,
): string {
  if (!output.isTTY || environmentVariable('NO_COLOR')) return text;
  return styleText(colour, text, { validateStream: false });
}
