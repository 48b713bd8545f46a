import { encode } from 'uqr';
import style from './profile.module.css';

/** Dark on light in both colours of the page: not all cameras read it the other way round. */
export function QrCode({ text }: { text: string }) {
  const { size, data } = encode(text, { ecc: 'L', border: 3 });
  const dots = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      className={style.code}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label="QR code of the secret"
    >
      <path d={dots.join('')} fill="#000" />
    </svg>
  );
}
