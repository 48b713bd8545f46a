import { describe, expect, test } from 'vitest';
import { lookColor, type Scheme } from './colors.ts';
import { lookFile, lookText } from './look.ts';

/** How bright a colour is, and how much two differ, as the guidelines for accessible content define it. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string, scheme: Scheme): number {
  const [dark, light] = [one, other].map((name) => luminance(lookColor(name, scheme))).sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

describe.each<Scheme>(['light', 'dark'])('in %s colours', (scheme) => {
  const grounds = ['ground', 'surface', 'hover', 'inset'];
  test.each([
    ...['text', 'heading', 'quiet', 'link', 'alarm'].flatMap((text) => grounds.map((ground) => [text, ground])),
    ...[
      ['on-accent', 'accent'],
      ...['accent', 'good', 'waiting', 'alarm'].map((name) => [onSoft(name), `${name}-soft`]),
    ],
  ])('--%s can be read on --%s', (text, ground) => {
    expect(contrast(text!, ground!, scheme)).toBeGreaterThanOrEqual(4.5);
  });
});

function onSoft(name: string): string {
  return name === 'accent' ? 'on-accent-soft' : name;
}

test('the accent is the green of the logo', () => {
  expect(lookFile('icon.svg').toString()).toContain(`fill="${lookColor('accent', 'light')}"`);
});

test('the font is small, and pages load it from an address that changes with it', () => {
  expect(lookFile('inter.woff2').length).toBeLessThan(60 * 1_024);
  expect(lookText()).toMatch(/url\("\/docs\/assets\/inter\.woff2\?v=[0-9a-f]{12}"\)/);
});
