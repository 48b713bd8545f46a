// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

/** Codes by which customers of test mode can sign in to the portal now. */
export type PortalCodes = {
  /** The kind of object. */
  object: 'portal_codes';
  /** The newest codes that can still be entered, up to 10. */
  codes: Array<{
    /** The id of the code. */
    id: string;
    /** The address that the code would go to. */
    email: string;
    /** The code. */
    code: string;
    /** When it was created. In UTC epoch seconds. */
    created: number;
    /** Until when it can be entered. In UTC epoch seconds. */
    expires_at: number;
  }>;
};
