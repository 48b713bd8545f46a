import type { ErrorRows } from './base/errors.ts';
import { type Config, ConfigError, localUrl } from './config.ts';
import { httpErrors } from './http/errors.ts';
import type { Described } from './http/pages/openapi/document.ts';
import { readExamples } from './http/pages/openapi/examples.ts';
import type { CallerKind } from './operations/caller.ts';
import { sharedErrors } from './operations/errors.ts';
import { Expansions } from './operations/expand.ts';
import { expandables } from './operations/extension_points/expand.ts';
import type { AnyOperation } from './operations/operation.ts';
import { type Catalog, collect, joined } from './operations/resource.ts';
import { resources } from './resources/index.ts';
import { packageVersion } from './version.ts';

/** Everything that the resources declare, put together. */
export const catalog: Catalog = collect(resources);

/** What can be called with an API key: the routes of the API. */
export const operations = servedTo('key', catalog);

/** What each resource is, in a sentence. */
export const abouts: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(shownResources(catalog)).map(([name, { about }]) => [name, about]),
);

function shownResources({ resources }: Catalog): Described['resources'] {
  const shown = resources.flatMap(({ name, about, place }) =>
    place === undefined ? [] : [[name, { about, ...place }]],
  );
  return Object.fromEntries(shown);
}

/** What can be asked for by a request: with an API key, as a person who has signed in, or by signing in. */
export function requestable({ operations }: Pick<Catalog, 'operations'>): readonly AnyOperation[] {
  return operations.filter(({ callers }) => callers.includes('person') || callers.includes('visitor'));
}

export function servedTo(kind: CallerKind, { operations }: Pick<Catalog, 'operations'>): readonly AnyOperation[] {
  return operations.filter(({ callers }) => callers.includes(kind));
}

/** Every refusal that the API can give. `docs/errors.md` and `/docs/errors` come from here. */
export const errorTable: ErrorRows = errorTableOf(catalog);

export function errorTableOf({ errors }: Pick<Catalog, 'errors'>): ErrorRows {
  return joined([sharedErrors, errors, httpErrors]);
}

/** What the OpenAPI document is generated from. */
export function describedBy(from: Catalog, publicUrl = () => localUrl()): Described {
  return {
    operations: requestable(from),
    errors: errorTableOf(from),
    events: from.events,
    resources: shownResources(from),
    expansions: new Expansions(from.extensionsOf(expandables)),
    version: packageVersion,
    publicUrl,
    examples: readExamples,
  };
}

/** A limit on an operation that does not exist protects nothing, so it is an error. */
export function refuseUnknownOperations(config: Config, operations: readonly AnyOperation[]): void {
  const names = new Set(operations.map((operation) => operation.name));
  const unknown = [...config.endpointRateLimits.keys()].filter((name) => !names.has(name));
  if (unknown.length > 0)
    throw new ConfigError([
      `ENDPOINT_RATE_LIMITS names ${unknown.join(', ')}; the operations are ${[...names].join(', ')}.`,
    ]);
}
