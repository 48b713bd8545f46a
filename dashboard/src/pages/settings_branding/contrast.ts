/** The colour of text on a colour, as the gateway chooses it: white where its contrast is 4.5:1 (WCAG 2.2), else black. */
export function textColorOn(color: string): '#ffffff' | '#000000' {
  return 1.05 / (luminance(color) + 0.05) >= 4.5 ? '#ffffff' : '#000000';
}

function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => linear(Number.parseInt(color.slice(at, at + 2), 16) / 255));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

const colorForm = /^#[0-9a-f]{6}$/i;

export const isColor = (text: string) => colorForm.test(text);
