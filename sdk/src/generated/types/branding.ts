// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

/** How the account shows itself to those who pay it, in both modes. */
export type Branding = {
  /** The kind of object. */
  object: 'branding';
  /** Who is paid; absent: the name of the account is shown. */
  display_name?: string;
  logo?: Logo;
  /** The colour of the buttons, in lower case; present when supplied. */
  color?: string;
  /** The colour of the text on `color`, with a contrast of at least 4.5:1; present with `color`. */
  text_color?: string;
  /** Where customers ask for help; present when supplied. */
  support_email?: string;
  /** The postal address; present when supplied. */
  support_address?: string;
  /** What customers find on the statement of their card; present when supplied. */
  statement_descriptor?: string;
  /** Your terms; present when supplied. */
  terms_url?: string;
  /** Your privacy policy; present when supplied. */
  privacy_url?: string;
  /** Who sells, on invoices and receipts; absent: the display name is printed. */
  legal_name?: string;
  /** The address of the seller; present when supplied. */
  legal_address?: string;
  /** The tax id of the seller; present when supplied. */
  tax_id?: string;
  /** What stands at the end of each page of a document; present when supplied. */
  document_footer?: string;
};

export type BrandingUpdateParameters = {
  /** Who is paid, in one line of up to 100 characters. Without it, the name of the account is shown. */
  display_name?: string | null | undefined;
  /**
   * The file of a picture in base64: PNG, JPEG or WebP, of at most 128 KB, up to 2,048 pixels wide and high,
   * without animation. Its metadata are dropped. Documents and mails show no WebP.
   */
  logo?: string | null | undefined;
  /** Colour of the buttons, such as #0a7d5a: # and six hexadecimal digits */
  color?: string | null | undefined;
  /** Where customers ask for help: an email address of up to 254 characters. */
  support_email?: string | null | undefined;
  /** A postal address of up to 6 lines and 300 characters. */
  support_address?: string | null | undefined;
  /**
   * What customers find on the statement of their card: 5 to 22 letters, digits, spaces and . , & / + _ # -, with
   * at least one letter. Processors get it where they can show it; Stripe shows it after the name of your account
   * there.
   */
  statement_descriptor?: string | null | undefined;
  /** Your terms: an https address of up to 2,048 characters. */
  terms_url?: string | null | undefined;
  /** Your privacy policy: an https address of up to 2,048 characters. */
  privacy_url?: string | null | undefined;
  /**
   * Who sells, on invoices and receipts, in one line of up to 200 characters. Without it, the display name is
   * printed.
   */
  legal_name?: string | null | undefined;
  /** The address of the seller, on invoices and receipts: up to 6 lines and 300 characters. */
  legal_address?: string | null | undefined;
  /** The tax id of the seller, in one line of up to 64 characters. */
  tax_id?: string | null | undefined;
  /** At the end of each page of an invoice or receipt: up to 4 lines and 400 characters. */
  document_footer?: string | null | undefined;
};

/** Present when there is one. */
export type Logo = {
  /** Where it is served. A changed logo has another address. */
  url: string;
  /** Its media type: image/png, image/jpeg or image/webp. */
  type: string;
  /** In pixels. */
  width: number;
  /** In pixels. */
  height: number;
};
