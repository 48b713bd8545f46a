import { describe, expect, test } from 'vitest';
import type { Mode } from '../../../base/reads.ts';
import { catalog } from '../../../catalog.ts';
import type { Role } from '../../../operations/role.ts';
import { scopeBeyond } from './operations.ts';

const beyond = (role: Role, mode: Mode) =>
  catalog.scopes.filter((scope) => scopeBeyond(catalog.operations, [scope], role, mode) !== undefined);
const writing = catalog.scopes.filter((scope) => scope.endsWith(':write'));

describe('the scopes that permit more than a role', () => {
  test.each([
    ['owner', 'test', []],
    ['owner', 'live', []],
    ['developer', 'test', []],
    // In live mode no key can route, so the scope that routes in test mode is no more than a developer has.
    ['developer', 'live', ['invoices:write', 'refunds:write', 'balance:write']],
  ] as const)('of a %s in %s mode are %j', (role, mode, scopes) => {
    expect(beyond(role, mode)).toEqual(scopes);
  });

  test('of a viewer are all that write, except those that have nothing to write, and what viewers may not read', () => {
    const unread = ['events:read', 'mails:read', 'webhook_endpoints:read', 'request_logs:read', 'request_logs:write'];
    const writable = writing.filter((scope) => scope !== 'request_logs:write');
    expect(beyond('viewer', 'test').sort()).toEqual([...writable, ...unread].sort());
  });

  test('of support include those with one operation that support lacks', () => {
    const lacking = beyond('support', 'live');
    expect(lacking).toContain('payments:write'); // support can cancel a payment, and cannot make one
    expect(lacking).toContain('refunds:write'); // support can refund, and cannot change the metadata
    expect(lacking.filter((scope) => !writing.includes(scope))).toEqual(['balance:read', 'webhook_endpoints:read']);
  });

  test('are found in a secret key, which has all of them', () => {
    expect(scopeBeyond(catalog.operations, null, 'developer', 'live')).toBe('refunds:write');
    expect(scopeBeyond(catalog.operations, null, 'developer', 'test')).toBeUndefined();
  });
});
