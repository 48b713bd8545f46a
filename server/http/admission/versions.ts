import { isSpeakable, withheld } from '../../base/param_name.ts';
import { refusal } from '../errors.ts';

/** What a request says about the version it wants, and the internal address of what it asks for. */
export type VersionChoice = {
  /** The path that the router sees: always below `/v1`, unless it is a page. */
  path: string;
  /** The version in the path, undefined when it has none. */
  inPath: string | undefined;
};

export const currentVersion = 1;

/** Every deprecation is announced from here: the headers of an answer, and the refusal once support has ended. */
const deprecations: Record<number, { deprecated: Date; sunset: Date; retired: boolean; link: string }> = {
  0: {
    deprecated: new Date('2023-01-01T00:00:00Z'),
    sunset: new Date('2024-12-31T23:59:59Z'),
    retired: true,
    link: '/docs#versions',
  },
};

const versionedPath = /^\/v(\d+)(?=[/?]|$)/;

/** Reads the path alone; refusing comes later, after the key and the rate limit. */
export function readPath(target: string, isPage: (path: string) => boolean): VersionChoice {
  // A client that takes us for a proxy sends the whole URL (RFC 9112, 3.2.2). Its path is what it asks for.
  const url = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '');
  const [prefix, inPath] = versionedPath.exec(url) ?? [];
  if (prefix !== undefined) {
    const rest = url.slice(prefix.length);
    return { path: `/v1${rest.startsWith('?') ? `/${rest}` : rest}`, inPath };
  }
  const query = url.indexOf('?');
  if (isPage(query === -1 ? url : url.slice(0, query))) return { path: url, inPath: undefined };
  return { path: `/v1${url}`, inPath: undefined };
}

/** Holds the three selectors against each other; returns the version to serve or refuses. */
export function selectVersion(choice: VersionChoice, accept: string | undefined, custom: string | undefined): number {
  const selected: { version: number; by: string }[] = [];
  if (choice.inPath !== undefined) selected.push({ version: parseVersion(choice.inPath, 'path'), by: 'path' });
  if (accept !== undefined) for (const version of acceptVersions(accept)) selected.push({ version, by: 'Accept' });
  if (custom !== undefined)
    selected.push({ version: parseVersion(custom, 'X-Service-Version'), by: 'X-Service-Version' });

  const first = selected[0];
  if (first === undefined) return currentVersion;
  for (const other of selected) {
    if (other.version !== first.version)
      throw refusal('version_conflict', { param: other.by, first: first.version, second: other.version });
  }
  refuseUnserved(first.version, first.by);
  return first.version;
}

function refuseUnserved(version: number, by: string): void {
  const deprecation = deprecations[version];
  if (deprecation?.retired) {
    const date = deprecation.sunset.toISOString().slice(0, 10);
    throw refusal('version_retired', { param: by, version, date, headers: deprecationHeaders(version) });
  }
  if (version !== currentVersion) throw refusal('version_unknown', { param: by, version });
}

/** RFC 9745 and RFC 8594; empty for a version that is not deprecated. */
export function deprecationHeaders(version: number): Record<string, string> {
  const deprecation = deprecations[version];
  if (deprecation === undefined) return {};
  return {
    Deprecation: `@${deprecation.deprecated.getTime() / 1_000}`,
    Sunset: deprecation.sunset.toUTCString(),
    Link: `<${deprecation.link}>; rel="deprecation"`,
  };
}

function* acceptVersions(accept: string): Generator<number> {
  if (!/version/i.test(accept)) return;
  for (const [, , version = ''] of accept.matchAll(/;\s*version\s*=\s*("?)([^",;]*)\1/gi))
    yield parseVersion(version.trim(), 'Accept');
}

function parseVersion(text: string, by: string): number {
  if (!/^(?:0|[1-9]\d{0,8})$/.test(text))
    throw refusal('version_unknown', { param: by, version: isSpeakable(text) ? text : withheld });
  return Number(text);
}
