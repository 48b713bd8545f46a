import { commandFor } from './curl.ts';

/**
 * The file of the certificate authority that the gateway has made for itself, which the gateway puts into the page. Undefined where it has a
 * certificate that others trust.
 */
export function localCaFile(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[name="ca-file"]')?.content || undefined;
}

/** A command of the gateway, as it finds the data of this one. */
export function tollgateCommand(words: string): string {
  return commandFor(localCaFile(), words);
}
