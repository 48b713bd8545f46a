import { Bytes, type Image, type ImageSize, requireThat } from './image.ts';

const marker = {
  soi: 0xd8,
  eoi: 0xd9,
  sos: 0xda,
  dqt: 0xdb,
  dht: 0xc4,
  dri: 0xdd,
  comment: 0xfe,
  jfif: 0xe0,
  adobe: 0xee,
} as const;

/** Baseline, extended and progressive pictures of 8 bits with Huffman codes: those that browsers draw. */
const frames = { baseline: 0xc0, extended: 0xc1, progressive: 0xc2 } as const;
/** A browser decodes every scan anew. Encoders make ten. */
const scansMax = 64;

type Component = { id: number; quantization: number; isScanned: boolean };
type Frame = ImageSize & { kind: number; components: Component[] };

/** What was read so far, and what is kept of it. */
type State = {
  bytes: Bytes;
  checkSize: (size: ImageSize) => void;
  frame: Frame | undefined;
  /** The names of the tables that there are. */
  tables: Set<string>;
  hasRestarts: boolean;
  /** How the colours are coded, which only metadata say. */
  isJfif: boolean;
  adobeTransform: number | undefined;
  scans: number;
  kept: Buffer[];
};

export function readJpeg(file: Buffer, checkSize: (size: ImageSize) => void): Image {
  const bytes = new Bytes(file, 'JPEG');
  const state: State = {
    bytes,
    checkSize,
    frame: undefined,
    tables: new Set(),
    hasRestarts: false,
    isJfif: false,
    adobeTransform: undefined,
    scans: 0,
    kept: [],
  };
  bytes.require(bytes.byte() === 0xff && bytes.byte() === marker.soi);
  while (readSegment(state));
  const { frame, kept } = state;
  bytes.require(bytes.left === 0 && frame?.components.every(({ isScanned }) => isScanned) === true);
  const { width, height } = frame!;
  const whole = Buffer.concat([Buffer.from([0xff, marker.soi]), ...colourCoding(state), ...kept, endOfImage]);
  return { type: 'image/jpeg', width, height, bytes: whole };
}

const endOfImage = Buffer.from([0xff, marker.eoi]);

/** Reads one segment; false at the end of the picture. */
function readSegment(state: State): boolean {
  const { bytes } = state;
  bytes.require(bytes.byte() === 0xff);
  const kind = bytes.byte();
  if (kind === marker.eoi) return false;
  const length = bytes.take(2).readUInt16BE();
  bytes.require(length >= 2);
  const data = bytes.take(length - 2);
  if (kind === marker.jfif) state.isJfif ||= data.toString('latin1', 0, 5) === 'JFIF\0';
  else if (kind === marker.adobe) readAdobe(state, data);
  // Everything else of programs, such as EXIF, profiles and previews, and comments are dropped.
  else if (!(kind >= 0xe0 && kind <= 0xef) && kind !== marker.comment) readEssential(state, kind, data);
  return true;
}

function readEssential(state: State, kind: number, data: Buffer): void {
  const { bytes, kept } = state;
  kept.push(segmentOf(kind, data));
  if (kind === marker.dqt) readQuantization(state, data);
  else if (kind === marker.dht) readHuffman(state, data);
  else if (kind === marker.dri) {
    bytes.require(data.length === 2);
    state.hasRestarts = data.readUInt16BE() > 0;
  } else if (kind === marker.sos) readScan(state, data);
  else state.frame = readFrame(state, kind, data);
}

export function segmentOf(kind: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, kind, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

function readAdobe(state: State, data: Buffer): void {
  if (data.toString('latin1', 0, 5) !== 'Adobe') return;
  state.bytes.require(data.length === 12 && data[11]! <= 2);
  state.adobeTransform = data[11];
}

/** Without these a decoder would guess the colours by the names of the components. */
function colourCoding({ isJfif, adobeTransform }: State): Buffer[] {
  const jfif = Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1');
  const adobe = Buffer.from([...Buffer.from('Adobe\0\x64\0\0\0\0', 'latin1'), adobeTransform ?? 0]);
  return [
    ...(isJfif ? [segmentOf(marker.jfif, jfif)] : []),
    ...(adobeTransform === undefined ? [] : [segmentOf(marker.adobe, adobe)]),
  ];
}

function readFrame({ bytes, checkSize, frame }: State, kind: number, data: Buffer): Frame {
  bytes.require(frame === undefined && data.length >= 6);
  requireThat(
    (Object.values(frames) as number[]).includes(kind) && data[0] === 8,
    'a JPEG file must be baseline or progressive, with 8 bits for each colour',
  );
  const size = { height: data.readUInt16BE(1), width: data.readUInt16BE(3) };
  checkSize(size);
  const count = data[5]!;
  requireThat(count === 1 || count === 3, 'a JPEG file must be in grey or in three colours, not in those of printers');
  bytes.require(data.length === 6 + 3 * count);
  const components = Array.from({ length: count }, (_, at): Component => {
    const [id, sampling, quantization] = data.subarray(6 + 3 * at) as unknown as [number, number, number];
    bytes.require(isBetween(sampling >> 4, 1, 4) && isBetween(sampling & 15, 1, 4) && quantization <= 3);
    return { id, quantization, isScanned: false };
  });
  bytes.require(new Set(components.map(({ id }) => id)).size === count);
  return { ...size, kind, components };
}

const isBetween = (value: number, least: number, most: number) => value >= least && value <= most;

function readQuantization({ bytes, tables }: State, data: Buffer): void {
  const rest = new Bytes(data, 'JPEG');
  do {
    const head = rest.byte();
    bytes.require(head >> 4 <= 1 && (head & 15) <= 3);
    rest.take(head >> 4 === 0 ? 64 : 128);
    tables.add(`quantization ${head & 15}`);
  } while (rest.left > 0);
}

function readHuffman({ bytes, tables }: State, data: Buffer): void {
  const rest = new Bytes(data, 'JPEG');
  do {
    const head = rest.byte();
    bytes.require(head >> 4 <= 1 && (head & 15) <= 3);
    let [codes, free] = [0, 1];
    for (const count of rest.take(16)) {
      free = free * 2 - count;
      codes += count;
      bytes.require(free >= 0); // more codes of this length than there can be
    }
    bytes.require(codes <= 256);
    rest.take(codes);
    tables.add(`${head >> 4 === 0 ? 'dc' : 'ac'} ${head & 15}`);
  } while (rest.left > 0);
}

function readScan(state: State, data: Buffer): void {
  const { bytes, kept } = state;
  bytes.require(state.frame !== undefined);
  const frame = state.frame!;
  const count = data[0] ?? 0;
  bytes.require(isBetween(count, 1, frame.components.length) && data.length === 4 + 2 * count);
  const [first, last, bits] = data.subarray(1 + 2 * count) as unknown as [number, number, number];
  const isProgressive = frame.kind === frames.progressive;
  const [high, low] = [bits >> 4, bits & 15];
  bytes.require(
    isProgressive
      ? last <= 63 && (first === 0 ? last === 0 : first <= last && count === 1) && high <= 13 && low <= 13
      : first === 0 && last === 63 && bits === 0,
  );
  const needsDc = first === 0 && high === 0;
  const ids = Array.from({ length: count }, (_, at) => {
    const [id, chosen] = data.subarray(1 + 2 * at) as unknown as [number, number];
    const component = frame.components.find((one) => one.id === id);
    bytes.require(state.tables.has(`quantization ${component?.quantization}`));
    bytes.require(!needsDc || state.tables.has(`dc ${chosen >> 4}`));
    bytes.require(last === 0 || state.tables.has(`ac ${chosen & 15}`));
    component!.isScanned ||= first === 0;
    return id;
  });
  bytes.require(new Set(ids).size === count && ++state.scans <= scansMax);
  kept.push(readCoded(state));
}

/** The coded pixels of a scan. In them 0xff is followed by 0, or marks a restart. */
function readCoded({ bytes, hasRestarts }: State): Buffer {
  const isRestart = (next: number) => hasRestarts && isBetween(next, 0xd0, 0xd7);
  const coded = bytes.find((all, at) => all[at] === 0xff && all[at + 1] !== 0 && !isRestart(all[at + 1] ?? -1));
  bytes.require(coded.length > 0);
  return coded;
}
