// Package drivers makes s3://, gs:// and azblob:// URLs known to cloud.Open, by a blank import. They make a program
// three times as large; one that needs only some of them imports those instead: cloud/drivers/s3,
// gocloud.dev/blob/gcsblob, gocloud.dev/blob/azureblob.
//
// Credentials, regions and emulators are set as gocloud.dev/blob describes for each driver, by URL parameters and by
// the environment variables of the provider; STORAGE_EMULATOR_HOST for Google Cloud Storage, for example.
package drivers

import (
	_ "gocloud.dev/blob/azureblob"
	_ "gocloud.dev/blob/gcsblob"

	_ "github.com/sluice-io/sluice/cloud/drivers/s3"
)
