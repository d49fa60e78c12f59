package stores

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/sluice-io/sluice/integration/tools"
)

// temporaryFiles is where versitygw keeps the parts of uploads that are not complete.
const temporaryFiles = ".sgwtmp/"

// s3Leftovers names what uploads left in a bucket: those that S3's interface lists, and any file of theirs on disk.
func s3Leftovers(store *tools.S3, bucket string) (left []string, err error) {
	uploads, err := store.Uploads(bucket)
	if err != nil {
		return nil, err
	}
	for _, key := range uploads {
		left = append(left, "upload of "+key)
	}
	files, err := store.Files(bucket)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if strings.HasPrefix(file, temporaryFiles) {
			left = append(left, "file "+file)
		}
	}
	return left, nil
}

// s3Contents names the objects in the bucket, and what uploads left there.
func s3Contents(store *tools.S3) (contents []string, err error) {
	name := bucket
	list, err := store.Client.ListObjectsV2(context.Background(), &s3.ListObjectsV2Input{Bucket: &name})
	if err != nil {
		return nil, err
	}
	for _, object := range list.Contents {
		contents = append(contents, *object.Key)
	}
	left, err := s3Leftovers(store, bucket)
	return append(contents, left...), err
}

// s3Parts returns in how many parts an object was uploaded; 0 if it was in a single put.
func s3Parts(t *testing.T, store *tools.S3, key string) (parts int) {
	t.Helper()
	name := bucket
	head, err := store.Client.HeadObject(context.Background(), &s3.HeadObjectInput{Bucket: &name, Key: &key})
	if err != nil {
		t.Fatal(err)
	}
	// The tag of an upload in parts ends with their number.
	if _, number, found := strings.Cut(strings.Trim(*head.ETag, `"`), "-"); found {
		if _, err := fmt.Sscan(number, &parts); err != nil {
			t.Fatalf("tag %s: %v", *head.ETag, err)
		}
	}
	return parts
}
