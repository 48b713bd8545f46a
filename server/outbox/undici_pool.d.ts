/** The file of undici's `Pool`. The package itself loads a hundred more, which no command of Tollgate uses. */
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici';
  export default Pool;
}
