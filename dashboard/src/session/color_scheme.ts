import { localStorageColorSchemeManager, type MantineColorSchemeManager } from '@mantine/core';

/** The gateway reads it: the page has the right colours before any script runs. It is not sent to the API. */
const cookie = (value: string, seconds: number) => {
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the other way yet
  document.cookie = `tollgate-colors=${value}; Path=/dashboard; Max-Age=${seconds}; SameSite=Strict; Secure`;
};
const yearSeconds = 31_536_000;

const stored = localStorageColorSchemeManager({ key: 'tollgate.colors' });

/** Remembers the colours that somebody has chosen, in this browser. */
export const colorSchemeManager: MantineColorSchemeManager = {
  ...stored,
  set(value) {
    stored.set(value);
    cookie(value, yearSeconds);
  },
  clear() {
    stored.clear();
    cookie('', 0);
  },
};
