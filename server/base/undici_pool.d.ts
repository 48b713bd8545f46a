/** The file of undici's `Pool`. The package itself loads a hundred more, which no command of Tollgate uses: 85 ms of each start. */
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici';
  export default Pool;
}
