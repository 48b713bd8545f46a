import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BlockBuffer } from './block_buffer.ts';

test('texts are returned unchanged and in order', () => {
  const buffer = new BlockBuffer(100);
  expect([buffer.append('one'), buffer.append('🧾'), buffer.append('')]).toEqual([true, true, true]);
  expect(buffer.used).toBe(7);
  expect(buffer.take().toString()).toBe('one🧾');
  expect(buffer.used).toBe(0);
});

test('bytes that were taken are not changed by later text', () => {
  const buffer = new BlockBuffer(10);
  buffer.append('first');
  const taken = buffer.take();
  buffer.append('second');
  expect(taken.toString()).toBe('first');
});

test('bytes that were lent are no longer in the buffer afterwards', () => {
  const buffer = new BlockBuffer(10);
  buffer.append('lent');
  const seen: string[] = [];
  buffer.lend((bytes) => void seen.push(bytes.toString()));
  buffer.append('next');
  buffer.lend((bytes) => void seen.push(bytes.toString()));
  expect(seen).toEqual(['lent', 'next']);
});

test('a text is appended whole when its bytes fit, and not at all when they do not', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 64 }), fc.array(fc.string({ unit: 'grapheme' })), (size, texts) => {
      const buffer = new BlockBuffer(size);
      let expected = '';
      for (const text of texts) {
        const fits = Buffer.byteLength(expected + text) <= size;
        expect(buffer.append(text)).toBe(fits);
        if (fits) expected += text;
      }
      expect(buffer.take().toString()).toBe(expected);
    }),
  );
});
