import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What `tollgate dev` leaves for other programs of this user: where it listens, and the keys of the demo account. */
export type DevFile = {
  base_url: string;
  ca_file: string;
  /** The id of the demo account, to which the keys belong. */
  account: string;
  test_secret_key: string;
  live_secret_key: string;
  /** A payment link of the demo account, and its page. */
  payment_link: string;
  checkout_url: string;
  /** Where people sign in, and the owner of the demo account. The password is null once the owner has chosen another. */
  dashboard: { url: string; email: string; password: string | null };
};

export function devFileOf(dataDir: string): string {
  return join(dataDir, 'dev.json');
}

export function readDevFile(path: string): Partial<DevFile> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Partial<DevFile>;
  } catch {
    return {}; // missing or not JSON: `dev` makes it anew
  }
}

export function writeDevFile(path: string, file: DevFile): void {
  const temporary = `${path}.new`;
  writeFileSync(temporary, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, path);
}
