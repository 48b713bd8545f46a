import { Button, Group } from '@mantine/core';
import { encode } from 'uqr';
import { download } from './export.tsx';
import style from './qr_code.module.css';

type Drawn = { size: number; path: string };

/** The dark dots of a code, with a border that cameras need. */
function drawn(text: string): Drawn {
  const { size, data } = encode(text, { ecc: 'L', border: 3 });
  const dots = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: dots.join('') };
}

/** Dark on light in both colours of the page: not all cameras read it the other way round. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = drawn(text);
  return (
    <svg
      className={style.code}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <path d={path} fill="#000" />
    </svg>
  );
}

/** The code as files: to print, and to paste into a text. `name`: of the files, without an ending. */
export function QrDownloads({ text, name }: { text: string; name: string }) {
  return (
    <Group gap="xs">
      <Button variant="default" size="xs" onClick={() => download(svgOf(text), `${name}.svg`)}>
        Download SVG
      </Button>
      <Button variant="default" size="xs" onClick={async () => download(await pngOf(text), `${name}.png`)}>
        Download PNG
      </Button>
    </Group>
  );
}

function svgOf(text: string): Blob {
  const { size, path } = drawn(text);
  const box = `viewBox="0 0 ${size} ${size}" width="${size * 8}" height="${size * 8}"`;
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" ${box} shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`;
  return new Blob([picture], { type: 'image/svg+xml' });
}

/** About a thousand pixels wide, whole pixels for each dot. */
function pngOf(text: string): Promise<Blob> {
  const { size, path } = drawn(text);
  const scale = Math.ceil(1_000 / size);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = size * scale;
  const context = canvas.getContext('2d')!;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(scale, scale);
  context.fillStyle = '#000';
  context.fill(new Path2D(path));
  return new Promise((resolve, reject) =>
    canvas.toBlob((file) => (file === null ? reject(new Error('The picture could not be made.')) : resolve(file))),
  );
}
