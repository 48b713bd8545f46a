import type { TSchema } from 'typebox';
import { currencyDecimals } from '../server/base/currency.ts';
import { Secret } from '../server/base/secret.ts';
import { catalog } from '../server/catalog.ts';
import { cards } from '../server/connectors/simulator/cards.ts';
import { localeTags } from '../server/locales/index.ts';
import { Expansions } from '../server/operations/expand.ts';
import { expandables } from '../server/operations/extension_points/expand.ts';
import type { AnyOperation } from '../server/operations/operation.ts';
import { referencesIn } from '../server/operations/references.ts';
import { type Right, rights, roles, rolesWith } from '../server/operations/role.ts';
import { scopeOfAny } from '../server/operations/scope.ts';
import { evidenceFields } from '../server/resources/payments/disputes/evidence.ts';
import { brands } from '../server/resources/payments/payment_methods/by_kind.ts';
import { brandNames } from '../server/resources/payments/payment_methods/card/brand_names.ts';
import { customerMailKinds } from '../server/resources/people/accounts/mail_kinds.ts';
import { passwordCharsMin } from '../server/resources/people/users/password.ts';
import { readCardNumber } from '../server/vault/index.ts';

const kinds = new Expansions(catalog.extensionsOf(expandables));

/** What people look for of the objects that those of a list refer to. */
const soughtMembers = ['name', 'email', 'number', 'card.brand', 'card.last4'];
/** Who has paid, and with what. */
const isOfPayer = (path: string) => /^(customer|payment_method)\./.test(path);

type SharedFact = { name: string; about: string; value: unknown };

/** What people may do. */
const rightsFacts: readonly SharedFact[] = [
  { name: 'roles', about: 'The roles of people, those who may do most first.', value: roles },
  {
    name: 'rights',
    about: 'What people can have the right to do: words that follow "can", and the roles that have it, by mode.',
    value: rightsWithRoles(),
  },
  {
    name: 'operationRights',
    about: 'The right that an operation takes. One with a parameter is the operation with that parameter alone.',
    value: operationRights(),
  },
];

/** What exports have. */
const exportFacts: readonly SharedFact[] = [
  {
    name: 'exportColumns',
    about: 'The columns of exports that people choose from, by the operation that lists the objects.',
    value: exportColumns(),
  },
];

/** What people can send. */
const operationFacts: readonly SharedFact[] = [
  {
    name: 'apiOperations',
    about:
      'The operations that people can call: method, path, and each parameter with its type. Required ones have a mark.',
    value: apiOperations(),
  },
];

/** What customers are written. */
const mailFacts: readonly SharedFact[] = [
  {
    name: 'mailKinds',
    about: 'The kinds of mails to customers, by the names of their switches, and when each is sent.',
    value: Object.fromEntries(
      customerMailKinds.map((name) => [name, catalog.mailKinds.find(({ kind }) => kind === name)!.when]),
    ),
  },
  {
    name: 'personMailKinds',
    about: 'The kinds of mails to people who work with the gateway, and when each is sent.',
    value: Object.fromEntries(catalog.personMailKinds.map(({ kind, when }) => [kind, when])),
  },
  { name: 'mailLocales', about: 'The languages of mails.', value: localeTags },
];

/** The other facts that the dashboard shares with the server, of which it imports nothing. */
const facts: readonly SharedFact[] = [
  { name: 'eventTypes', about: 'Every type of event.', value: catalog.eventTypes.toSorted() },
  {
    name: 'keyScopes',
    about: 'The scopes of restricted keys, by resource, and the rights that a person needs for what the scope allows.',
    value: keyScopes(),
  },
  {
    name: 'resourcesOfPeople',
    about: 'The resources of which no key can call an operation.',
    value: resourcesOfPeople(),
  },
  {
    name: 'passwordCharsMin',
    about: 'The length of the shortest password that can be chosen.',
    value: passwordCharsMin,
  },
  {
    name: 'filterChoices',
    about: 'The values of filters, by the operation that lists the objects.',
    value: filterChoices(),
  },
  { name: 'evidenceFields', about: 'The fields of the evidence in a dispute.', value: evidenceFields },
  { name: 'brands', about: 'The brands of payment methods.', value: brands },
  { name: 'brandNames', about: 'The brands of cards, as their owners write them.', value: brandNames },
  {
    name: 'testCards',
    about: 'The cards of the simulator: the brand, and what a payment leads to.',
    value: testCards(),
  },
  {
    name: 'currencyDecimals',
    about: 'How many decimals an amount has, by currency: those of ISO 4217 that are in use.',
    value: Object.fromEntries(currencyDecimals),
  },
];

export const dashboardCatalog = () => sourceOf(facts);
export const dashboardMails = () => sourceOf(mailFacts);
export const dashboardExports = () => sourceOf(exportFacts);
export const dashboardRights = () => sourceOf(rightsFacts);
export const dashboardOperations = () => sourceOf(operationFacts);

function sourceOf(shared: readonly SharedFact[]): string {
  const declared = shared.map(({ name, about, value }) => {
    const literal = literalOf(value, { before: `export const ${name} = `, after: ' as const;' });
    return `\n/** ${about} */\nexport const ${name} = ${literal} as const;\n`;
  });
  return `// Written by \`npm run generate\` from the declarations of the server. Change those, not this file.\n${declared.join('')}`;
}

type Scopes = Record<string, Partial<Record<string, readonly string[]>>>;

/** Operations that are the operator's in live mode do not count: in test mode, everybody who may make keys has the right. */
function keyScopes(): Scopes {
  const isCounted = ({ callers, scope }: AnyOperation) => callers.includes('key') && scope !== scopeOfAny;
  const byScope = Map.groupBy(catalog.operations.filter(isCounted), ({ scope }) => scope);
  const scopes: Scopes = {};
  for (const scope of [...byScope.keys()].sort()) {
    const [resource, access] = scope.split(':') as [string, string];
    const counted = byScope.get(scope)!.filter(({ operatorInLive }) => operatorInLive === undefined);
    scopes[resource] = { ...scopes[resource], [access]: [...new Set(counted.map(({ right }) => right))].sort() };
  }
  return scopes;
}

function rightsWithRoles(): Record<string, object> {
  const rows = (Object.keys(rights) as Right[]).map((right) => {
    const { about } = rights[right];
    return [right, { about, test: rolesWith('test', right), live: rolesWith('live', right) }];
  });
  return Object.fromEntries(rows);
}

/** What people do for themselves takes no right. */
function operationRights(): Record<string, Right> {
  const offered = catalog.operations.filter(({ callers, isPersonal }) => callers.includes('person') && !isPersonal);
  const entries = offered.flatMap(({ name, right, lesser }) => [
    [name, right],
    ...(lesser === undefined ? [] : [[`${name}(${Object.keys(lesser.parameters).join()})`, lesser.right]]),
  ]);
  return Object.fromEntries(entries.sort(([one], [other]) => (one! < other! ? -1 : 1)));
}

/** Streams that do not end, and what people do for themselves, are left out. */
function apiOperations(): Record<string, string> {
  const offered = catalog.operations.filter(
    ({ callers, isPersonal, isLive }) => callers.includes('person') && !isPersonal && !isLive,
  );
  const entries = offered.map(({ name, method, route, input }) => {
    const { properties = {}, required = [] } = input as Described;
    const parameters = Object.entries(properties).map(([parameter, { type, enum: choices, anyOf }]) => {
      const form = choices?.join('|') ?? type ?? anyOf?.map((one) => one.type ?? 'string').join('|') ?? 'string';
      return `${parameter}:${form}${required.includes(parameter) ? '!' : ''}`;
    });
    return [name, [method, `/v1${route}`, ...parameters].join(' ')] as const;
  });
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

type DescribedParameter = { type?: string; enum?: readonly string[]; anyOf?: readonly { type?: string }[] };
type Described = { properties?: Record<string, DescribedParameter>; required?: readonly string[] };

function resourcesOfPeople(): string[] {
  const served = (kind: 'key' | 'person' | 'visitor') =>
    catalog.operations.filter(({ callers }) => callers.includes(kind)).map(({ name }) => name.split('.')[0]!);
  const forKeys = new Set(served('key'));
  return [...new Set([...served('person'), ...served('visitor')])].filter((name) => !forKeys.has(name)).sort();
}

function filterChoices(): Record<string, Record<string, readonly string[]>> {
  const choices = catalog.operations.flatMap(({ name, input }) => {
    const parameters = Object.entries((input as Parameters).properties ?? {});
    const named = parameters.flatMap(([parameter, schema]) => {
      const choices = schema.enum ?? schema.anyOf?.[0]?.enum; // of one value, or several
      return choices === undefined ? [] : [[parameter, choices]];
    });
    return /\.list(_\w+)?$/.test(name) && name !== 'events.list' && named.length > 0
      ? [[name, Object.fromEntries(named)]]
      : [];
  });
  return Object.fromEntries(choices);
}

/** Those of the list, and next to an id what its object is known by; of a payment, that of its customer and card as well. */
function exportColumns(): Record<string, readonly string[]> {
  const lists = catalog.operations.flatMap(({ name, csv, output, addedColumns = [] }) => {
    if (csv === undefined) return [];
    const sought = soughtIn(output);
    const own = csv.split(/\s+/);
    const usual = own.flatMap((column) => [column, ...sought.filter((path) => path.startsWith(`${column}.`))]);
    const metadata = hasMember(output, ['data', 'metadata']) ? ['metadata'] : [];
    return [[name, [...new Set([...usual, ...addedColumns, ...metadata])]] as const];
  });
  return Object.fromEntries(lists);
}

/** What people look for of the objects that one refers to: directly, and of who has paid, through the payment. */
function soughtIn(output: TSchema): string[] {
  const direct = referencesIn(output).filter(({ path, member }) => path === member);
  const isDirect = (path: string) => direct.some(({ member }) => path.startsWith(`${member}.`));
  return direct.flatMap(({ member, to }) => {
    const outputs = to.map((resource) => kinds.kindOf(resource).output);
    const known = soughtMembers.filter((path) => outputs.some((one) => hasMember(one, path.split('.'))));
    const payer = member === 'payment' ? soughtIn(outputs[0]!).filter(isOfPayer) : [];
    return [...known, ...payer.filter((path) => !isDirect(path))].map((path) => `${member}.${path}`);
  });
}

type Members = { properties?: Record<string, Members>; items?: Members };

function hasMember({ properties, items }: Members, [name, ...rest]: readonly string[]): boolean {
  if (items !== undefined) return hasMember(items, [name!, ...rest]);
  const member = properties?.[name!];
  return member !== undefined && (rest.length === 0 || hasMember(member, rest));
}

type Choices = { enum?: readonly string[] };
type Parameters = { properties?: Record<string, Choices & { anyOf?: readonly Choices[] }> };

function testCards(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(cards).map(([number, behaviour]) => {
      const read = readCardNumber(new Secret(number));
      if (!read.ok) throw new Error(`The test card ${number} is no card number.`);
      return [number, { brand: read.brand, ...behaviour }];
    }),
  );
}

const columnsMax = 120;

/** A value as Biome formats it: on one line if it fits, except for objects that are declared, which have a line for each member. */
function literalOf(value: unknown, { before, after }: { before: string; after: string }, indent = ''): string {
  const flat = flatLiteral(value);
  const fits = `${indent}${before}${flat}${after}`.length <= columnsMax;
  const isDeclared = indent === '' && !Array.isArray(value);
  if (typeof value !== 'object' || value === null || (fits && !isDeclared)) return flat;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const lines = Array.isArray(value)
    ? value.map((one) => `${inner}${literalOf(one, { before: '', after: ',' }, inner)},\n`)
    : Object.entries(value).map(([name, one]) => {
        const key = `${keyOf(name)}: `;
        const literal = literalOf(one, { before: key, after: ',' }, inner);
        const isLongText = typeof one === 'string' && `${inner}${key}${literal},`.length > columnsMax;
        return isLongText ? `${inner}${key.trimEnd()}\n${inner}  ${literal},\n` : `${inner}${key}${literal},\n`;
      });
  return `${open}\n${lines.join('')}${indent}${close}`;
}

function flatLiteral(value: unknown): string {
  if (typeof value === 'string') return value.includes("'") ? JSON.stringify(value) : `'${value}'`;
  if (Array.isArray(value)) return `[${value.map(flatLiteral).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(([name, one]) => `${keyOf(name)}: ${flatLiteral(one)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

const keyOf = (name: string) => (/^[a-z_]\w*$/i.test(name) ? name : `'${name}'`);
