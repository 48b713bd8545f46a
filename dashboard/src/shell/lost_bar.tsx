import { useIsLost } from '../session/reach.ts';
import style from './lost_bar.module.css';

/** Says that the gateway cannot be reached, for as long as that is so. */
export function LostBar() {
  const isLost = useIsLost();
  if (!isLost) return null;
  return (
    <p role="alert" className={style.bar}>
      <strong>The gateway cannot be reached.</strong> What you see may be out of date. Trying again until it is back.
    </p>
  );
}
