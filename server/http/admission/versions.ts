import { isSpeakable, withheld } from '../../base/param_name.ts';
import { apiError } from '../errors.ts';

export type VersionChoice = {
  /** The path for the router: a page's own, any other below `/v1`. */
  path: string;
  /** The version in the path. */
  inPath: string | undefined;
};

export const currentVersion = 1;

const retiredVersions: Record<number, { deprecated: Date; sunset: Date; link: string }> = {
  0: {
    deprecated: new Date('2023-01-01T00:00:00Z'),
    sunset: new Date('2024-12-31T23:59:59Z'),
    link: '/docs/reference#versions',
  },
};

const versionedPath = /^\/v(\d+)(?=[/?]|$)/;

/** Only reads the path. `checkVersion` refuses it later, after the API key and the rate limit. */
export function readPath(target: string, routes: { isPage(path: string): boolean }): VersionChoice {
  // A client that takes this server for a proxy sends a whole URL (RFC 9112, 3.2.2). Only its path counts.
  const url = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '');
  const [prefix, inPath] = versionedPath.exec(url) ?? [];
  if (prefix !== undefined) {
    const rest = url.slice(prefix.length);
    return { path: `/v1${rest.startsWith('?') ? `/${rest}` : rest}`, inPath };
  }
  const query = url.indexOf('?');
  if (routes.isPage(query === -1 ? url : url.slice(0, query))) return { path: url, inPath: undefined };
  return { path: `/v1${url}`, inPath: undefined };
}

/** Refuses a version that is not served, and selectors (path, Accept, X-Service-Version) that disagree. */
export function checkVersion(choice: VersionChoice, accept: string | undefined, custom: string | undefined): void {
  const selected: { version: number; by: string }[] = [];
  if (choice.inPath !== undefined) selected.push({ version: parseVersion(choice.inPath, 'path'), by: 'path' });
  if (accept !== undefined) for (const version of acceptVersions(accept)) selected.push({ version, by: 'Accept' });
  if (custom !== undefined)
    selected.push({ version: parseVersion(custom, 'X-Service-Version'), by: 'X-Service-Version' });

  const first = selected[0];
  if (first === undefined) return;
  const { version, by: param } = first;
  for (const other of selected) {
    if (other.version !== version)
      throw apiError('version_conflict', { param: other.by, first: version, second: other.version });
  }
  if (version === currentVersion) return;
  const retired = retiredVersions[version];
  if (retired === undefined) throw unknownVersion(param, String(version));
  const headers = {
    Deprecation: `@${retired.deprecated.getTime() / 1_000}`, // RFC 9745
    Sunset: retired.sunset.toUTCString(), // RFC 8594
    Link: `<${retired.link}>; rel="deprecation"`,
  };
  throw apiError('version_retired', { param, version, date: retired.sunset.toISOString().slice(0, 10), headers });
}

function* acceptVersions(accept: string): Generator<number> {
  if (!/version/i.test(accept)) return;
  for (const [, , version = ''] of accept.matchAll(/;\s*version\s*=\s*("?)([^",;]*)\1/gi))
    yield parseVersion(version.trim(), 'Accept');
}

function parseVersion(text: string, by: string): number {
  if (text === '') throw apiError('version_unknown', { param: by, reason: emptyVersion(by) });
  if (!/^(?:0|[1-9]\d{0,8})$/.test(text)) throw unknownVersion(by, isSpeakable(text) ? text : withheld);
  return Number(text);
}

function emptyVersion(by: string): string {
  return `${by === 'Accept' ? 'The version in Accept' : by} is empty. Send ${currentVersion}, or leave it out.`;
}

function unknownVersion(param: string, version: string) {
  const reason = `There is no version ${version} of this API. The current version is ${currentVersion}.`;
  return apiError('version_unknown', { param, reason });
}
