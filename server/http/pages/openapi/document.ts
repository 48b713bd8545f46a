import type { ErrorRows } from '../../../base/errors.ts';
import { inOneTurn } from '../../../base/slices.ts';
import type { Expansions } from '../../../operations/expand.ts';
import type { AnyOperation } from '../../../operations/operation.ts';
import { type EventDeclarations, type ReferencePlace, referenceGroups } from '../../../operations/resource.ts';
import { Components, type Json } from './components.ts';
import type { Examples } from './examples.ts';
import { responseHeaders } from './headers.ts';
import { describeOperation, headerParameters } from './operation.ts';
import { errorSchema, sharedResponses } from './refusals.ts';
import { describeWebhook } from './webhooks.ts';

/** Everything that the document is generated from. */
export type Described = {
  operations: readonly AnyOperation[];
  errors: ErrorRows;
  events: EventDeclarations;
  /** What each resource is, and where it belongs, by the name that its operations begin with. */
  resources: Readonly<Record<string, { about: string } & ReferencePlace>>;
  /** What the references of objects lead to. */
  expansions: Expansions;
  version: string;
  /** Where the gateway is reached. */
  publicUrl: () => string;
  /** Read when the document is made: a start needs none. */
  examples: () => Examples;
};

export type Document = Json & {
  paths: Record<string, Json>;
  webhooks: Record<string, Json>;
  components: Record<string, Record<string, Json>>;
};

/** The API as OpenAPI 3.1, generated from the operations: no second description can differ from it. */
export function openApi(described: Described): Document {
  return inOneTurn(openApiSteps(described));
}

/** The same in small steps: a server answers requests in between. */
export function* openApiSteps(described: Described): Generator<void, Document> {
  const { operations, errors, resources, version } = described;
  const examples = described.examples();
  const components = new Components(described.expansions);
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = pathOf(operation);
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: describeOperation(
        operation,
        errors,
        components,
        examples.operations[operation.name],
      ),
    };
    yield;
  }
  const webhooks: Record<string, Json> = {};
  for (const [type, declaration] of Object.entries(described.events)) {
    webhooks[type] = describeWebhook(type, declaration, components, examples.events[type]);
    yield;
  }
  const tagGroups = groupedTags(operations, resources);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tollgate',
      summary: 'A payment gateway that a team runs itself.',
      description:
        'Amounts are integers in the smallest unit of their currency. Times are UTC epoch seconds. A JSON `null` or an empty string counts as not sent; in an update it removes what is there.',
      version,
      contact: { name: 'The operator of this gateway' },
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: described.publicUrl(), description: 'This gateway' }],
    security: [{ apiKey: [] }, { apiKey: [], signature: [] }, { session: [] }],
    tags: tagGroups
      .flatMap(({ tags }) => tags)
      .map((name) => ({ name, ...(resources[name] && { description: resources[name].about }) })),
    'x-tagGroups': tagGroups,
    paths,
    webhooks,
    'x-error-codes': codesByType(errors),
    components: {
      securitySchemes,
      parameters: headerParameters,
      headers: responseHeaders,
      responses: sharedResponses(errors),
      schemas: { Error: errorSchema(errors), ...components.schemas() },
    },
  };
}

export type TagGroup = { name: string; tags: string[] };

/** The tags that operations have, by group. Those of resources that name no group come last. */
export function groupedTags(
  operations: readonly Pick<AnyOperation, 'name'>[],
  resources: Described['resources'],
): TagGroup[] {
  const used = [...new Set(operations.map(tagOf))].sort();
  const positionOf = (tag: string) => resources[tag]?.position ?? 0;
  const inOrder = used.sort((one, other) => positionOf(one) - positionOf(other));
  const grouped = Map.groupBy<string, string>(inOrder, (tag) => resources[tag]?.group ?? otherGroup);
  return [...referenceGroups, otherGroup].flatMap((name) => {
    const tags = grouped.get(name);
    return tags === undefined ? [] : [{ name, tags }];
  });
}

const otherGroup = 'Other';

export function pathOf({ route }: Pick<AnyOperation, 'route'>): string {
  return `/v1${route.replaceAll(/:(\w+)/g, '{$1}')}`;
}

export function tagOf({ name }: Pick<AnyOperation, 'name'>): string {
  return name.split('.', 1)[0]!;
}

/** The codes of each type of error, for the classes of a client. */
function codesByType(errors: ErrorRows): Record<string, string[]> {
  const grouped = Map.groupBy(Object.keys(errors), (code) => errors[code]!.type);
  return Object.fromEntries(grouped);
}

const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'A secret or restricted API key: `Authorization: Bearer sk_test_tg_…`.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-tollgate',
    description:
      'A person who has signed in. A request names the account and the mode by the headers `X-Tollgate-Account` and `X-Tollgate-Mode`; a POST or DELETE needs the `Origin` of this gateway, the `csrf_token` of the session as `X-Tollgate-CSRF`, and a body in JSON.',
  },
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Service-Signature',
    description:
      'Optional, unless the key requires it: `sha256=` and the HMAC-SHA256 in hexadecimal, keyed with the API key, over five lines joined by newlines: the value of `X-Service-Timestamp`, the method, the request target, the Idempotency-Key or nothing, and the hexadecimal SHA-256 of the body. Without `X-Service-Timestamp`, over the body.',
  },
};
