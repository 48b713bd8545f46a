import { timingSafeEqual } from 'node:crypto';
import { type Id, isId } from './id.ts';
import type { KeyPurpose, Keyring } from './keyring.ts';
import type { Tenant } from './reads.ts';

const macBytes = 16; // 128 bits: too many to guess

/** How this gateway is reached, and whose object a page is about. */
type PageOwner = { keyring: Keyring; publicUrl: () => string; tenant: Tenant };

/**
 * Pages of objects, whose address is the permission to see them. Its token names tenant and object, with a keyed hash over both: nobody
 * without the root key can make one, and the token of one object tells nothing about that of another. So it is as good as a random one that
 * is stored, and costs no write. It ends the path, and is never logged.
 */
export class TokenPages<Prefix extends string> {
  /** A token follows. */
  readonly path: string;
  readonly #purpose: KeyPurpose;
  readonly #prefixes: readonly Prefix[];

  /** `prefixes`: of the ids that have such a page. The path begins and ends with a slash. */
  constructor(path: string, purpose: KeyPurpose, ...prefixes: readonly Prefix[]) {
    this.path = path;
    this.#purpose = purpose;
    this.#prefixes = prefixes;
  }

  urlOf(owner: PageOwner, id: Id<Prefix>): string {
    return `${owner.publicUrl()}${this.pathOf(owner, id)}`;
  }

  pathOf({ keyring, tenant }: Pick<PageOwner, 'keyring' | 'tenant'>, id: Id<Prefix>): string {
    return `${this.path}${this.tokenOf(keyring, tenant, id)}`;
  }

  tokenOf(keyring: Keyring, tenant: Tenant, id: Id<Prefix>): string {
    return `${tenant}-${id}-${this.#macOf(keyring, tenant, id).toString('base64url')}`;
  }

  /** The object that a token is for; undefined when we have not made it. */
  read(keyring: Keyring, token: string): { tenant: Tenant; id: Id<Prefix> } | undefined {
    const [, tenantText = '', id = '', mac = ''] = /^([1-9]\d{0,9})-(\w+)-([\w-]{22})$/.exec(token) ?? [];
    if (!this.#hasPage(id)) return undefined;
    const tenant = Number(tenantText) as Tenant;
    const sent = Buffer.from(mac, 'base64url');
    return timingSafeEqual(sent, this.#macOf(keyring, tenant, id)) ? { tenant, id } : undefined;
  }

  #hasPage(id: string): id is Id<Prefix> {
    return this.#prefixes.some((prefix) => isId(prefix, id));
  }

  #macOf(keyring: Keyring, tenant: Tenant, id: string): Buffer {
    return keyring.hmac(this.#purpose, `${tenant}/${id}`).subarray(0, macBytes);
  }
}
