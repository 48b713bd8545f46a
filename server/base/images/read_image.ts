import { type Image, type ImageSize, requireThat } from './image.ts';
import { readJpeg } from './jpeg.ts';
import { pngSignature, readPng } from './png.ts';
import { readWebp } from './webp.ts';

export { type Image, ImageRefused, type ImageType, imageTypes } from './image.ts';

export type ImageLimits = { bytesMax: number; pixelsMax: number };

/**
 * Reads a picture that somebody else has made, so that it can be shown to others. A file is read to its last byte by the rules of its
 * format, and refused if it breaks one (`ImageRefused`). The image that is returned is written anew, from the parts that draw it:
 * positions, names of cameras and texts are gone, and nothing is left that could be taken for another kind of file.
 */
export async function readImage(file: Buffer, { bytesMax, pixelsMax }: ImageLimits): Promise<Image> {
  requireThat(file.length <= bytesMax, `it must have at most ${Math.floor(bytesMax / 1_024)} KB`);
  const checkSize = ({ width, height }: ImageSize) => {
    const most = Math.max(width, height);
    requireThat(width > 0 && height > 0 && most <= pixelsMax, `it must be 1 to ${pixelsMax} pixels wide and high`);
  };
  if (file.subarray(0, pngSignature.length).equals(pngSignature)) return readPng(file, checkSize);
  if (file[0] === 0xff && file[1] === 0xd8) return readJpeg(file, checkSize);
  requireThat(
    file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP',
    'it must be a PNG, JPEG or WebP image',
  );
  return readWebp(file, checkSize);
}
