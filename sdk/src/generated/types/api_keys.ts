// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { ListParameters } from './shared.ts';

/** An API key, without the key itself. */
export type ApiKey = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'api_key';
  /** Its name. */
  name: string;
  /** The mode that it works in. */
  mode: 'test' | 'live';
  /** A secret key may do everything, a restricted one has scopes. */
  kind: 'secret' | 'restricted';
  /** An `active` key works. One that was rolled is active until its overlap is over. */
  status: 'active' | 'expired' | 'revoked';
  /** The last four characters of the key. */
  hint: string;
  /** What a restricted key may do. */
  scopes?: Array<string>;
  /** Where it may be used from; present if that is limited. */
  allowed_ips?: Array<string>;
  /** Whether it takes only signed requests with a timestamp. */
  signature_required: boolean;
  /** When it stops working. In UTC epoch seconds. */
  expires_at?: number;
  /** When it was revoked, or will be at the end of an overlap. In UTC epoch seconds. */
  revoked_at?: number;
  /** The id of the key that replaces it. */
  rolled_to?: string;
  /** When it was last used, exact to a minute. In UTC epoch seconds. */
  last_used?: number;
  /** The scopes that its requests have needed since `used_scopes_since`. A read needs the read scope. */
  used_scopes: Array<string>;
  /** The time that `used_scopes` begins with: 30 days ago, or as far back as it is known. In UTC epoch seconds. */
  used_scopes_since: number;
  /** When it was created. In UTC epoch seconds. */
  created: number;
};

export type ApiKeysCreateParameters = {
  /** A name, such as the program that uses the key. */
  name: string;
  /** A secret key may do everything, a restricted one has scopes. */
  kind: 'secret' | 'restricted';
  /** What a restricted key may do. A secret key has none. */
  scopes?: Array<string> | undefined;
  /** When it stops working, in UTC epoch seconds; never when not given. */
  expires_at?: number | undefined;
  /** Addresses and ranges that the key may be used from; from anywhere when not given. */
  allowed_ips?: Array<string> | undefined;
  /** Accept only signed requests with a timestamp. */
  signature_required?: boolean | undefined;
};

export type ApiKeysRevokeParameters = Record<string, never>;

export type ApiKeysRollParameters = {
  /** How long the old key goes on working; 24 when not given. */
  overlap_hours?: number | undefined;
  /**
   * What the new key may do: some of what the old one could. A secret key is followed by a restricted one then.
   * All of it when not given.
   */
  scopes?: Array<string> | undefined;
};

export type ApiKeysUpdateParameters = {
  /** A name, such as the program that uses the key. */
  name?: string | undefined;
  /** What a restricted key may do from now on: some of what it could do before. */
  scopes?: Array<string> | undefined;
};

/** An API key that was just made. */
export type IssuedApiKey = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'api_key';
  /** Its name. */
  name: string;
  /** The mode that it works in. */
  mode: 'test' | 'live';
  /** A secret key may do everything, a restricted one has scopes. */
  kind: 'secret' | 'restricted';
  /** An `active` key works. One that was rolled is active until its overlap is over. */
  status: 'active' | 'expired' | 'revoked';
  /** The last four characters of the key. */
  hint: string;
  /** What a restricted key may do. */
  scopes?: Array<string>;
  /** Where it may be used from; present if that is limited. */
  allowed_ips?: Array<string>;
  /** Whether it takes only signed requests with a timestamp. */
  signature_required: boolean;
  /** When it stops working. In UTC epoch seconds. */
  expires_at?: number;
  /** When it was revoked, or will be at the end of an overlap. In UTC epoch seconds. */
  revoked_at?: number;
  /** The id of the key that replaces it. */
  rolled_to?: string;
  /** When it was last used, exact to a minute. In UTC epoch seconds. */
  last_used?: number;
  /** The scopes that its requests have needed since `used_scopes_since`. A read needs the read scope. */
  used_scopes: Array<string>;
  /** The time that `used_scopes` begins with: 30 days ago, or as far back as it is known. In UTC epoch seconds. */
  used_scopes_since: number;
  /** When it was created. In UTC epoch seconds. */
  created: number;
  /** The key itself. It is not shown again. */
  key: string;
};

export type ApiKeysListParameters = ListParameters;
