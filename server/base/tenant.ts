/** One account in one mode. Every key of every table of tenants starts with it, and every function that reads takes it first. */
export type Tenant = number & { readonly tenant: unique symbol };

/** The tenant of work that concerns the whole installation, such as a new account. It is no account, and its rows are in the directory. */
export const installation = 0 as Tenant;
