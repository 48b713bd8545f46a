import type { Mode } from '../base/reads.ts';
import type { Scope } from './scope.ts';

/** What a person is in an account. */
export const roles = ['owner', 'developer', 'finance', 'support', 'viewer'] as const;
export type Role = (typeof roles)[number];

const yes: readonly Mode[] = ['test', 'live'];
/** What developers may try out, and must not do with real money. */
const inTest: readonly Mode[] = ['test'];

type RightRow = {
  /** What it permits, after "can". */
  about: string;
  /** The resources whose objects need it to be read; all others need `read`. */
  reads?: readonly string[];
  granted: Readonly<Partial<Record<Role, readonly Mode[]>>>;
};

/**
 * What people may do: the one table of it. An operation names its right, and what a role lacks is refused. The texts of the roles, the
 * navigation and the buttons of the dashboard, and the table in `docs/people.md` come from here.
 */
export const rights = {
  read: {
    about: 'read payments, customers, billing and disputes',
    granted: { owner: yes, developer: yes, finance: yes, support: yes, viewer: yes },
  },
  read_money: {
    about: 'read the balance and statistics of money, and export lists',
    reads: ['balance', 'statistics'],
    granted: { owner: yes, developer: yes, finance: yes, viewer: yes },
  },
  read_activity: {
    about: 'read the request log, events, deliveries and mails',
    reads: ['events', 'request_logs', 'mails'],
    granted: { owner: yes, developer: yes, support: yes },
  },
  read_keys: {
    about: 'read API keys, webhook endpoints and inboxes',
    reads: ['api_keys', 'webhook_endpoints', 'inbox', 'inbox_requests'],
    granted: { owner: yes, developer: yes },
  },
  handle: {
    about:
      'capture, cancel, take back a cancellation, answer disputes, edit customers, write notes, send mails again, make links to the portal',
    granted: { owner: yes, developer: yes, support: yes },
  },
  pay_out: {
    about: 'refund payments',
    granted: { owner: yes, developer: inTest, support: yes },
  },
  books: {
    about: 'finalize and void invoices and mark them as uncollectible, resolve reconciliation differences',
    // In test mode too, because a key can do no more than the person who makes it: developers could make no secret key otherwise.
    granted: { owner: yes, developer: inTest, finance: yes },
  },
  change: {
    about: 'make payments and customers, change prices, subscriptions, webhooks, keys and everything else',
    granted: { owner: yes, developer: yes },
  },
  settings: {
    about: 'change processors, routing and the portal',
    granted: { owner: yes, developer: inTest },
  },
  people: {
    about: 'manage people, change the branding, switch mails to customers on, and read the audit log',
    reads: ['users', 'invitations', 'audit_log'],
    granted: { owner: yes },
  },
} as const satisfies Record<string, RightRow>;

export type Right = keyof typeof rights;

export function permits(role: Role, mode: Mode, right: Right): boolean {
  const { granted }: RightRow = rights[right];
  return granted[role]?.includes(mode) ?? false;
}

/** Those who could do it instead, for a message to somebody who cannot. */
export function rolesWith(mode: Mode, right: Right): Role[] {
  return roles.filter((role) => permits(role, mode, right));
}

const rightsToRead: ReadonlyMap<string, Right> = new Map(
  (Object.entries(rights) as [Right, RightRow][]).flatMap(([right, { reads = [] }]) =>
    reads.map((resource) => [resource, right] as const),
  ),
);

/** What a person needs to read what a key reads with a scope. */
export function rightToRead(scope: Scope): Right {
  return rightsToRead.get(scope.slice(0, scope.indexOf(':'))) ?? 'read';
}
