import { describe, expect, test } from 'vitest';
import { type DatabaseUrl, DatabaseUrlError, parseDatabaseUrl } from './database_url.ts';

const hosts = (...named: string[]) =>
  named.map((one) => {
    const [host, port = ''] = one.split('|') as [string, string?];
    return { host, port };
  });

describe('an address is read as libpq reads it:', () => {
  test.each<[string, Partial<DatabaseUrl>]>([
    ['postgres://u:p@db/t', { hosts: hosts('db') as never, target: undefined, options: '' }],
    ['postgresql://u@db:6000/t', { hosts: hosts('db|6000') as never }],
    ['postgres://u:p@a:1,b:2,c/t', { hosts: hosts('a|1', 'b|2', 'c') as never }],
    ['postgres://u@[::1]:5,[fd00::2]/t', { hosts: hosts('::1|5', 'fd00::2') as never }],
    ['postgres://u@%2Frun%2Fpg/t', { hosts: hosts('/run/pg') as never }],
    ['postgres:///t?host=/a,/b&port=7', { hosts: hosts('/a|7', '/b|7') as never }],
    ['postgres://u@x/t?host=a,b&port=1,2', { hosts: hosts('a|1', 'b|2') as never }],
    ['postgres://u@/t', { hosts: hosts('') as never }],
    ['postgres://a,b/t?target_session_attrs=read-write', { target: 'read-write' }],
    ['postgres://a/t?options=-c%20search_path%3Dx', { options: '-c search_path=x' }],
    ['postgres://u:p%@a/t?options=a+b', { options: 'a b' }],
  ])('%s', (text, expected) => {
    expect(parseDatabaseUrl(text)).toMatchObject(expected);
  });

  test.each([
    ['mysql://u@db/t', /^must begin with postgres:/],
    ['postgres://u:secret#1@db/t', /^cannot be read: .*%23 for #/],
    ['postgres://u@db:70000/t', /^cannot be read: .*65535/],
    ['postgres://u@a:1,b:x/t', /^cannot be read: /],
    ['postgres://u@a,,b/t', /^has an empty name in its list of hosts/],
    ['postgres://u@/t?host=a,b,c&port=1,2', /^has 3 hosts and 2 ports: /],
    [
      'postgres://a/t?target_session_attrs=master',
      /^has an unknown target_session_attrs: use one of any, read-write, /,
    ],
  ])('%s is refused', (text, message) => {
    expect(() => parseDatabaseUrl(text)).toThrow(DatabaseUrlError);
    expect(() => parseDatabaseUrl(text)).toThrow(message);
  });
});

test('the driver gets the user, the database and TLS, and nothing that Tollgate sets itself', () => {
  const { forDriver } = parseDatabaseUrl(
    'postgres://u:p%40@a:1,b:2/t?sslmode=require&sslrootcert=%2Fca.pem&options=-c%20x%3Dy&statement_timeout=1&lock_timeout=1' +
      '&idle_in_transaction_session_timeout=1&query_timeout=1&replication=true&application_name=x&channel_binding=require&uselibpqcompat=true',
  );
  expect(forDriver).toBe('postgres://u:p%40@localhost/t?sslmode=verify-full&sslrootcert=%2Fca.pem&host=a&port=1');
});
