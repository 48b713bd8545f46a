// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { ListParameters } from './shared.ts';

/** A code on its way by mail. */
export type EmailCode = {
  /** The kind of object. */
  object: 'email_code';
  /** Where the code was mailed to. */
  email: string;
  /** When it stops working. In UTC epoch seconds. */
  expires_at: number;
};

/** The person who has signed in. */
export type Me = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'me';
  /** The email address. */
  email: string;
  /**
   * Whether the operator, or a message to the address, has confirmed the email. Otherwise anybody who was invited
   * may have typed it.
   */
  email_verified: boolean;
  /** Whether an authenticator is set up. */
  totp_enabled: boolean;
  /** How many recovery codes have not been used. */
  recovery_codes_left: number;
  /** When it was created. In UTC epoch seconds. */
  created: number;
};

export type MeChangePasswordParameters = {
  /** Your password, once more. */
  password: string;
  /** 12 characters or more, and none of the commonest passwords. */
  new_password: string;
  /** The six digits that the authenticator shows, or a recovery code. Required if one is set up. */
  code?: string | undefined;
};

export type MeConfirmTotpParameters = {
  /** The `token` of the enrolment. */
  token: string;
  /** Your password, once more. */
  password: string;
  /** The six digits that the authenticator shows. */
  code: string;
};

export type MeDisableTotpParameters = {
  /** Your password, once more. */
  password: string;
  /** The six digits that the authenticator shows, or a recovery code. */
  code: string;
};

export type MeEnrolTotpParameters = Record<string, never>;

export type MeRenewRecoveryCodesParameters = {
  /** Your password, once more. */
  password: string;
  /** The six digits that the authenticator shows, or a recovery code. */
  code: string;
};

export type MeRequestResetParameters = {
  /** An email address of up to 254 characters. */
  email: string;
};

export type MeResetPasswordParameters = {
  /** The token of the link, which stands after the `#`. */
  token: string;
  /** 12 characters or more, and none of the commonest passwords. */
  password: string;
  /** The six digits that the authenticator shows, or a recovery code. */
  code?: string | undefined;
};

export type MeSendEmailCodeParameters = Record<string, never>;

export type MeVerifyEmailParameters = {
  /** The code of the mail, in either case. */
  code: string;
};

/** A session of the person who has signed in. */
export type OwnSession = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'session';
  /** Where it began. */
  address: string;
  /** The `User-Agent` of the browser. */
  browser?: string;
  /** When it was last used; up to 15 seconds late. In UTC epoch seconds. */
  last_used: number;
  /** When it ends, however much it is used. In UTC epoch seconds. */
  expires_at: number;
  /** Whether it is the session of this request. */
  current: boolean;
  /** When it was created. In UTC epoch seconds. */
  created: number;
};

/** A way to sign in without the authenticator. */
export type RecoveryCodes = {
  /** The kind of object. */
  object: 'recovery_codes';
  /** Ten codes, shown this once. Each works once in place of a code. */
  codes: Array<string>;
};

/** A link was asked for. It is mailed if the email has a user. */
export type ResetRequest = {
  /** The kind of object. */
  object: 'reset_request';
};

/** An authenticator that is not set up yet. */
export type TotpEnrolment = {
  /** The kind of object. */
  object: 'totp_enrolment';
  /** The secret in base32, for authenticators that cannot read a QR code. */
  secret: string;
  /** The `otpauth` address that a QR code for authenticators holds. */
  uri: string;
  /** For `token` of the confirmation. It holds the secret sealed: nothing is stored before. */
  token: string;
  /** When the token stops working. In UTC epoch seconds. */
  expires_at: number;
};

export type MeListSessionsParameters = ListParameters;
