import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The examples of the guides: shell commands, and the answers that are shown below them. */

const root = join(import.meta.dirname, '..', '..');

export type Example = { shell: string; shown: string | undefined };

/** Each `sh` block, with the `json` block that follows it immediately. */
export function examplesOf(path: string): Example[] {
  const text = readFileSync(join(root, path), 'utf8');
  const blocks = text.matchAll(/```sh\n([\s\S]*?)```\n(?:\n```json\n([\s\S]*?)```)?/g);
  return [...blocks].map(([, shell, shown]) => ({ shell: shell!, shown }));
}

/** `$base`, `$key` and `api`, which all examples use. */
export const setup = examplesOf('docs/getting-started.md').find(({ shell }) => shell.includes('api()'))!.shell;

/** Whether the machine has the programs that the guides ask for. */
export const hasTools =
  spawnSync('bash', ['-c', 'command -v jq openssl && curl --help all | grep -q -- --json']).status === 0;

/** Also those of the fake, which are longer. */
export const withoutIds = (shown: string) => shown.replace(/\b([a-z]{2,6}_)[0-9A-Za-z]{22,24}\b/g, '$1');

/** Without what differs each time: ids, times, numbers of invoices, secrets, ports. Parameters are named only once the request log was written. */
export function alike(json: string): unknown {
  const same = withoutIds(json)
    .replace(/\b1[789]\d{8}\b/g, '0')
    .replace(/INV-\d{6}/g, 'INV-')
    .replace(/whsec_[\w+/=]+/g, 'whsec_')
    .replace(/(localhost|127\.0\.0\.1):\d+/g, '$1')
    .replace(/challenge\/\w+/g, 'challenge/')
    .replace(/\/(pay|l|i|portal\/link)\/[\w-]+/g, '/$1/')
    .replace(/ \(different: [^)]*\)/g, '');
  return JSON.parse(same);
}
