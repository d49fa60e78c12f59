// Package s3 makes s3:// URLs known to cloud.Open: a blank import is all it is for. Credentials and region come from
// the usual environment and files of the AWS SDK, or from the URL, as gocloud.dev/blob/s3blob describes:
//
//	s3://lake?region=eu-central-1
//	s3://lake?endpoint=https://s3.example.com&use_path_style=true&region=us-east-1&prefix=team-a/
//
// What it adds to gocloud's driver: a multipart upload that is aborted is removed from the bucket even if its context
// has ended, which is what aborted it. The SDK sends that request with the ended context unless it is given a
// FailTimeout. It is aborted only when the parts under way have come to their end, as S3 may store a part that was cut
// off after the upload was aborted, and nobody would find it there. And uploads are in several parts from one part's size on, where the SDK would gather 16 MiB first.
//
// A process that dies leaves its multipart uploads behind. Give the bucket a lifecycle rule that aborts incomplete
// multipart uploads.
package s3

import (
	"errors"

	"github.com/aws/aws-sdk-go-v2/feature/s3/transfermanager"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	_ "gocloud.dev/blob/s3blob" // registers s3://

	"github.com/sluice-io/sluice/cloud"
)

func init() { cloud.RegisterHooks("s3", hooksFor) }

var errDriver = errors.New("s3: gocloud.dev/blob/s3blob has other types than this package was made for")

func hooksFor(bucketAs func(any) bool, o cloud.Options) (cloud.Hooks, error) {
	var client *s3.Client
	if !bucketAs(&client) {
		return cloud.Hooks{}, errDriver
	}
	return cloud.Hooks{
		BeforeUpload: func(as func(any) bool) error { return prepareUpload(as, client, o) },
		BeforeRead:   prepareRead,
		// A part that is cut off may still be stored, after the abort of its upload, and stay there unseen.
		FailedReaderAborts: true,
	}, nil
}

// prepareUpload makes the transfer manager of the upload anew; there are no setters.
func prepareUpload(as func(any) bool, client *s3.Client, o cloud.Options) error {
	var manager *transfermanager.Client
	if !as(&manager) {
		return errDriver
	}
	*manager = *transfermanager.New(client, func(t *transfermanager.Options) {
		t.RequestChecksumCalculation = client.Options().RequestChecksumCalculation
		t.PartSizeBytes = o.PartBytes
		t.MultipartUploadThreshold = o.PartBytes
		t.Concurrency = o.PartConcurrency
		t.FailTimeout = o.AbortTimeout
	})
	return nil
}

// prepareRead keeps the SDK from logging, for each object that was uploaded in parts or without a checksum, that it
// has none to compare with.
func prepareRead(as func(any) bool) error {
	var options *[]func(*s3.Options)
	if !as(&options) {
		return errDriver
	}
	*options = append(*options, func(o *s3.Options) { o.DisableLogOutputChecksumValidationSkipped = true })
	return nil
}
