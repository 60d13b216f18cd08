import { embeddedOnly } from '../../api/src/testing/embedded-only.ts';
import { killStoreWriter } from './kill-store-writer.ts';

embeddedOnly('loses no acknowledged write to many kills -9, and keeps the file whole', () =>
  killStoreWriter([150, 400, 700, 1000, 1500]),
);
