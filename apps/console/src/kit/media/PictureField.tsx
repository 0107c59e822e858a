import { lazyPart } from '../routing/lazy-part.tsx'

/**
 * A picture in a form: `<Field name="pictureId" label="站点照片"><PictureField /></Field>`. Its value is the id of the
 * stored file. The server keeps an uploaded picture for a day; the feature claims it with `swapPicture` when it saves.
 */
export const PictureField = lazyPart(async () => (await import('./PictureUpload.tsx')).PictureUpload)
