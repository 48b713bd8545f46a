import { deflateSync } from 'node:zlib';
import { chunkOf, pngSignature } from './png.ts';

const decoded = (lines: readonly string[]) => Buffer.from(lines.join(''), 'base64');

/** Small pictures of encoders that everybody uses. */
export const samples = {
  /** 8 × 8 pixels. */
  jpeg: decoded([
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARwe',
    'HigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAIAAgDAREAAhEBAxEB/8QAFAABAAAAAAAAAAAA',
    'AAAAAAAABP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAVAQEBAAAAAAAAAAAAAAAAAAAEBv/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AABqR//Z',
  ]),
  /** 24 × 16 pixels, as all below. */
  progressiveJpeg: decoded([
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARES',
    'EhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wgARCAAQABgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAA',
    'AAAAAAAAAAT/xAAWAQEBAQAAAAAAAAAAAAAAAAAAAgT/2gAMAwEAAhADEAAAAQZZAj//xAAXEAEBAQEAAAAAAAAAAAAAAAADEwAQ/9oACAEBAAEFAhGuYZcFpZmrz//E',
    'ABcRAAMBAAAAAAAAAAAAAAAAABASImH/2gAIAQMBAT8BldH/xAAUEQEAAAAAAAAAAAAAAAAAAAAQ/9oACAECAQE/AT//xAAYEAEAAwEAAAAAAAAAAAAAAAARAAEhEP/a',
    'AAgBAQAGPwK9CVq8vFlYHP/EABgQAAMBAQAAAAAAAAAAAAAAABFBcQAQ/9oACAEBAAE/IZeR1vIcl5jW8zz/2gAMAwEAAgADAAAAEA/v/8QAFBEBAAAAAAAAAAAAAAAA',
    'AAAAEP/aAAgBAwEBPxAH/8QAFBEBAAAAAAAAAAAAAAAAAAAAEP/aAAgBAgEBPxA//8QAGxAAAQUBAQAAAAAAAAAAAAAAEQExUWGRABD/2gAIAQEAAT8QadqJtI5xyoC1',
    'nxpyoGlnnHaiKSPP/9k=',
  ]),
  lossyWebp: decoded(['UklGRjoAAABXRUJQVlA4IC4AAADQAgCdASoYABAAPtFUo0uoJKMhsAgBABoJQBibBlKAAP7ox6/43/Nf6FAhLAAA']),
  losslessWebp: decoded(['UklGRh4AAABXRUJQVlA4TBEAAAAvF8ADEAfQvipUq3+BiOh/AAA=']),
  /** Lossy, with a plane for what is transparent. */
  transparentWebp: decoded([
    'UklGRowAAABXRUJQVlA4WAoAAAAQAAAAFwAADwAAQUxQSBoAAAABD3DA/4iIQCZtI6H+XdbBvjIJEf2fgGV8dVZQOCBMAAAAMAMAnQEqGAAQAD7RVKNLqCSjIbAIAQAa',
    'CWIAwowUAEoWAAD2j/26d/9uDl//bAm/zSIrAEPvw5oQvEC/7KPcHdkMionECw9RRRyAAA==',
  ]),
};

export type PngOptions = {
  width?: number;
  height?: number;
  depth?: number;
  colours?: number;
  interlace?: number;
  /** Chunks before the pixels. */
  before?: readonly Buffer[];
  /** The pixels with the filter of each row; of a square of one colour when not given. */
  rows?: Buffer;
  /** The pixels as they stand in the file. */
  data?: Buffer;
  /** Chunks after the pixels. */
  after?: readonly Buffer[];
};

/** A PNG file, by default of red. */
export function pngOf(options: PngOptions = {}): Buffer {
  const { width = 3, height = 2, depth = 8, colours = 2, interlace = 0, before = [], after = [] } = options;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colours, 0, 0, interlace], 8);
  const { rows = redRows(width, height) } = options;
  const { data = deflateSync(rows) } = options;
  return Buffer.concat([
    ...[pngSignature, chunkOf('IHDR', header), ...before, chunkOf('IDAT', data), ...after],
    chunkOf('IEND', Buffer.alloc(0)),
  ]);
}

function redRows(width: number, height: number): Buffer {
  const row = Buffer.from([0, ...Array.from({ length: width }, () => [0xd0, 0x20, 0x20]).flat()]);
  return Buffer.concat(Array.from({ length: height }, () => row));
}
