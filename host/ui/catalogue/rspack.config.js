import { defineCatalogue } from '../../../rspack.shared.js';

export default defineCatalogue();
