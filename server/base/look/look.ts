import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file of the look, as bytes. */
export function lookFile(name: 'icon.svg' | 'inter.woff2' | 'look.css' | 'paying.css' | 'portal.css'): Buffer {
  return readFileSync(join(import.meta.dirname, name));
}

export const fontPath = '/docs/assets/inter.woff2';

/** Changes with the content of a file, so that browsers can keep what is at an address with it. */
export function versionOf(bytes: Buffer): string {
  return `v=${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}`;
}

/** `look.css` as a page of the server has it: with the address at which the font is served. */
export function lookText(): string {
  const address = `${fontPath}?${versionOf(lookFile('inter.woff2'))}`;
  return lookFile('look.css').toString().replace('./inter.woff2', address);
}

/** The style of the pages that customers pay on. It has no font: nothing moves while anything loads. */
export function payingLook(): string {
  return inOneLine(`${lookFile('look.css')}${lookFile('paying.css')}`);
}

/** What the customer portal has beside it. */
export const portalLook = () => inOneLine(lookFile('portal.css').toString());

function inOneLine(css: string): string {
  return css
    .replaceAll(/\/\*[\s\S]*?\*\/|@font-face\s*\{[^}]*\}/g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?|: /g, (all, mark) => mark ?? all.trim())
    .replaceAll(';}', '}')
    .trim();
}
