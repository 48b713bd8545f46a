const shownMax = 30;

/** A name that somebody has chosen, for a button: it can be long. */
export const shortened = (name: string) => (name.length > shownMax ? `${name.slice(0, shownMax)}…` : name);
