package tools

import (
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

const s3Package, s3Version = "github.com/versity/versitygw/cmd/versitygw", "v1.8.0"

// What a client of StartS3's server needs.
const (
	S3User, S3Password = "sluice", "sluice-secret"
	S3Region           = "us-east-1"
)

// S3 is a running S3 server (versitygw) that keeps each bucket as a directory.
type S3 struct {
	Address string // HOST:PORT
	Client  *s3.Client
	dir     string
}

// StartS3 starts an S3 server without buckets.
func StartS3(t testing.TB) *S3 {
	t.Helper()
	binary, dir := goTool(t, s3Package, s3Version), t.TempDir()
	_, address := startOnFreePort(t, "versitygw", func(address string) *exec.Cmd {
		cmd := exec.Command(binary, "--port", address, "posix", dir)
		cmd.Env = environment("ROOT_ACCESS_KEY="+S3User, "ROOT_SECRET_KEY="+S3Password)
		return cmd
	})
	client := s3.New(s3.Options{
		BaseEndpoint: aws.String("http://" + address),
		Region:       S3Region,
		Credentials:  credentials.NewStaticCredentialsProvider(S3User, S3Password, ""),
		UsePathStyle: true,
	})
	return &S3{Address: address, Client: client, dir: dir}
}

// NewBucket makes a bucket and returns its URL. A name has at least three characters.
func (s *S3) NewBucket(t testing.TB, name string) (bucketURL string) {
	t.Helper()
	if _, err := s.Client.CreateBucket(context.Background(), &s3.CreateBucketInput{Bucket: &name}); err != nil {
		t.Fatal(err)
	}
	query := url.Values{"endpoint": {"http://" + s.Address}, "region": {S3Region}, "use_path_style": {"true"}}
	return "s3://" + name + "?" + query.Encode()
}

// Env returns the variables, as NAME=VALUE, with which an S3 client may use the server.
func (s *S3) Env() []string {
	return []string{"AWS_ACCESS_KEY_ID=" + S3User, "AWS_SECRET_ACCESS_KEY=" + S3Password, "AWS_REGION=" + S3Region}
}

// Uploads returns the keys of the bucket's uploads in several parts that are neither complete nor aborted.
func (s *S3) Uploads(bucket string) (keys []string, err error) {
	pages := s3.NewListMultipartUploadsPaginator(s.Client, &s3.ListMultipartUploadsInput{Bucket: &bucket})
	for pages.HasMorePages() {
		page, err := pages.NextPage(context.Background())
		if err != nil {
			return nil, err
		}
		for _, upload := range page.Uploads {
			keys = append(keys, *upload.Key)
		}
	}
	return keys, nil
}

// Files returns the paths, relative to the bucket, of all files that the server keeps for it on disk: the objects, and
// the parts of uploads that are not complete.
func (s *S3) Files(bucket string) (paths []string, err error) {
	return Files(filepath.Join(s.dir, bucket))
}

// Files returns the paths of all files below dir, relative to it and with slashes, in order. No directory has no files.
func Files(dir string) (paths []string, err error) {
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // gone since its directory was read
		}
		if err != nil || entry.IsDir() {
			return err
		}
		relative := strings.TrimPrefix(path, dir+string(os.PathSeparator))
		paths = append(paths, filepath.ToSlash(relative))
		return nil
	})
	return paths, err
}
