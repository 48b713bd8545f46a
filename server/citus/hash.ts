import type { Tenant } from '../base/tenant.ts';

/** A whole number of 32 bits, without a sign, turned left. */
const rotated = (bits: number, by: number) => (bits << by) | (bits >>> (32 - by));

const start = (0x9e_37_79_b9 + 4 + 3_923_095) | 0;

/**
 * The number by which Citus finds the shard of a tenant: `worker_hash(tenant)`, which is PostgreSQL's `hashint4`. Computed here, because the
 * way of a request goes by it, and must not ask a server for that.
 */
export function hashOf(tenant: Tenant): number {
  let [a, b, c] = [(start + tenant) | 0, start, start];
  c = ((c ^ b) - rotated(b, 14)) | 0;
  a = ((a ^ c) - rotated(c, 11)) | 0;
  b = ((b ^ a) - rotated(a, 25)) | 0;
  c = ((c ^ b) - rotated(b, 16)) | 0;
  a = ((a ^ c) - rotated(c, 4)) | 0;
  b = ((b ^ a) - rotated(a, 14)) | 0;
  return ((c ^ b) - rotated(b, 24)) | 0;
}
