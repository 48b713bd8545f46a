/** One account in one mode. Every key of every table of tenants starts with it, and every function that reads takes it first. */
export type Tenant = number & { readonly tenant: unique symbol };
