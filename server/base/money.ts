/** An amount in the smallest unit of its currency (lower-case ISO 4217): whole, exact, never a float. */
export type Money = { readonly amount: number; readonly currency: string };
