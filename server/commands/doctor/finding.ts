export type Finding = { ok: boolean; text: string };

export const fine = (text: string): Finding => ({ ok: true, text });
/** The text says what is wrong, and what to do. */
export const wrong = (text: string): Finding => ({ ok: false, text });
