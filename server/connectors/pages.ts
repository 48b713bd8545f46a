export type PageTerms = {
  /** The kinds of methods that it offers, in the words of the processor; undefined: what the processor account has. */
  methods?: readonly string[] | undefined;
  /** A language tag, or `auto`. */
  locale: string;
  /** What it shows is bought. What is charged is the money of the request, whatever they add up to. */
  lines: readonly PageLine[];
  email?: string | undefined;
  /** Epoch milliseconds, within the lifetime that the processor allows. */
  expiresAt: number;
  /** The method is to be kept for later charges: an approval then has `kept`. Of a setup it always is. */
  save: boolean;
};

/** `amount` is that of all of them together. */
export type PageLine = { name: string; quantity: number; amount: number };

/** issuer: the bank decides whether its cardholder has to authenticate. always: every cardholder is asked, where the processor can. */
export type Authentication = 'issuer' | 'always';

/** What the request for a page had beside the money: enough to ask for the same page again, under the same attempt. */
export type RequestedPage = PageTerms & {
  returnUrl: string;
  authentication?: Authentication | undefined;
  statementDescriptor?: string | undefined;
  description?: string | undefined;
};

/** The fields of a processor in our page. The browser may load what is listed, and nothing else. */
export type ProcessorFields = {
  /** The address of the script. */
  script: string;
  /** Every origin that the script needs, the script's own included. */
  hosts: readonly { origin: string; use: 'script' | 'frame' | 'connect' | 'image'; reason: string }[];
  /** What the script is given: nothing secret. */
  publicConfig: Readonly<Record<string, string>>;
};
