import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '../../base/errors.ts';
import { type Config, hasKeyFile, keyFileOf } from '../../config.ts';
import { type Finding, fine, wrong } from './finding.ts';

const diskBytesMin = 1_073_741_824;

/** With a database, a certificate and a key of the operator's own, nothing is stored in the data directory. */
export function checkDataDirectory({ purpose, database, tls, dataDir }: Config): Finding[] {
  if (purpose !== 'dev' && database.kind === 'url' && tls.kind !== 'local') return [];
  const place = nearestFolder(dataDir);
  try {
    accessSync(place, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const remedy = 'give this user access, or set TOLLGATE_DATA_DIR';
    return [wrong('data_directory', `${dataDir} cannot be used (${errorCode(error)}): ${remedy}.`)];
  }
  const { bavail, bsize } = statfsSync(place);
  if (bavail * bsize < diskBytesMin)
    return [
      wrong(
        'data_directory',
        `${dataDir} has less than 1 GiB of free space: delete other files, or use a larger disk.`,
      ),
    ];
  const keyFile = keyFileOf(dataDir);
  if (hasKeyFile(dataDir) && (statSync(keyFile).mode & 0o077) !== 0)
    return [wrong('data_directory', `${keyFile} can be read by others: chmod 600 it.`)];
  return [fine('data_directory', `data directory ${dataDir}`)];
}

/** The data directory, or the nearest existing folder above it. */
function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path));
}

/** A group may read them: that is how certificates are often shared with a server. */
export function checkKeyFiles({ keyFiles }: Config): Finding[] {
  const open = keyFiles.filter((file) => (statSync(file).mode & 0o007) !== 0);
  return open.map((file) => wrong('key_files', `${file} holds a key, and every user can read it: chmod 600 it.`));
}
