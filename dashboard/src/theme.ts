import { createTheme, type MantineColorsTuple } from '@mantine/core';

/** A scale of server/base/look/look.css. */
const scale = (name: string) => Array.from({ length: 10 }, (_, at) => `var(--${name}-${at})`);
const brand = scale('brand') as unknown as MantineColorsTuple;
const night = scale('night') as unknown as MantineColorsTuple;

export const theme = createTheme({
  colors: { brand, dark: night },
  primaryColor: 'brand',
  primaryShade: { light: 7, dark: 6 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--font-code)',
  fontWeights: { regular: '400', medium: '500', bold: '600' },
  fontSizes: { xs: '0.78125rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  headings: { fontWeight: '600', sizes: { h1: { fontSize: '1.375rem' }, h2: { fontSize: '0.9375rem' } } },
  components: {
    Button: { defaultProps: { size: 'sm' } },
    // It says to the eye what its target is called for everybody.
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300, 'aria-hidden': true } },
    // Within the page, so that they belong to its landmarks.
    Menu: { defaultProps: { withinPortal: false, withInitialFocusPlaceholder: false } },
    Popover: { defaultProps: { withinPortal: false } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
  },
});
